# What holds only when Cosmati itself is being built: build type, ccache, warnings, sanitizers, CUDA.

if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Build type" FORCE)
  # Assertions stay on: the tests are there to see them.
  set(CMAKE_CXX_FLAGS_RELEASE "-O2" CACHE STRING "Flags of the Release build" FORCE)
  set(CMAKE_CUDA_FLAGS_RELEASE "-O3" CACHE STRING "CUDA flags of the Release build" FORCE)
endif()
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

find_program(COSMATI_CCACHE ccache)
if(COSMATI_CCACHE)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${COSMATI_CCACHE} CACHE STRING "Compiler launcher")
  set(CMAKE_CUDA_COMPILER_LAUNCHER ${COSMATI_CCACHE} CACHE STRING "CUDA compiler launcher")
  set(COSMATI_PRECOMPILE OFF)
endif()

if(COSMATI_CUDA)
  if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES)
    # One architecture, as machine code: plain `sm_90a` would compile everything twice.
    set(CMAKE_CUDA_ARCHITECTURES 90a-real CACHE STRING "CUDA architectures")
  endif()
  if(NOT CMAKE_CUDA_COMPILER AND NOT DEFINED ENV{CUDACXX})
    find_program(COSMATI_NVCC nvcc PATHS /usr/local/cuda/bin)
    if(COSMATI_NVCC)
      set(CMAKE_CUDA_COMPILER ${COSMATI_NVCC})
    endif()
  endif()
  enable_language(CUDA)
  set(CMAKE_CUDA_EXTENSIONS OFF)
endif()

if(COSMATI_STRICT)
  add_compile_options(
    "$<$<COMPILE_LANGUAGE:CXX>:-Wall;-Wextra;-Werror>"
    "$<$<COMPILE_LANGUAGE:CUDA>:-Werror=all-warnings;-Xcompiler=-Wall,-Wextra,-Werror>")
endif()

if(COSMATI_SANITIZE)
  add_compile_options(-fsanitize=${COSMATI_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer -g1)
  add_link_options(-fsanitize=${COSMATI_SANITIZE})
endif()
