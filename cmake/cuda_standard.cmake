# C++20 for CUDA sources that link with the target. CMake 3.25 does not know that nvcc 12 and later have it.
function(cosmati_require_cuda20 target)
  get_property(languages GLOBAL PROPERTY ENABLED_LANGUAGES)
  if(NOT CUDA IN_LIST languages)
    return()
  endif()
  if(cuda_std_20 IN_LIST CMAKE_CUDA_COMPILE_FEATURES)
    set_property(TARGET ${target} APPEND PROPERTY INTERFACE_COMPILE_FEATURES $<BUILD_INTERFACE:cuda_std_20>)
  else()
    set_property(TARGET ${target} APPEND PROPERTY INTERFACE_COMPILE_OPTIONS
      $<BUILD_INTERFACE:$<$<COMPILE_LANGUAGE:CUDA>:-std=c++20>>)
  endif()
endfunction()
