// SPDX-License-Identifier: Apache-2.0
#include "context_switch.hpp"

#if !defined(COSMATI_SIM_BOOST_CONTEXT)
// Saves the registers that a function must keep, and switches the stack. Processors predict a return to the place of
// the last call.
asm(R"(
  .text
  .globl cosmati_sim_switch
  .hidden cosmati_sim_switch
  .type cosmati_sim_switch, @function
  .p2align 6
cosmati_sim_switch:
  .cfi_startproc
  movq (%rsp), %rax
  movq %rsp, (%rdi)
  movq %rax, 8(%rdi)
  movq %rbp, 16(%rdi)
  movq %rbx, 24(%rdi)
  movq %r12, 32(%rdi)
  movq %r13, 40(%rdi)
  movq %r14, 48(%rdi)
  movq %r15, 56(%rdi)
  movq (%rsi), %rsp
  movq 16(%rsi), %rbp
  movq 24(%rsi), %rbx
  movq 32(%rsi), %r12
  movq 40(%rsi), %r13
  movq 48(%rsi), %r14
  movq 56(%rsi), %r15
  cmpq 8(%rsi), %rax
  jne 1f
  ret
1:
  addq $8, %rsp
  .cfi_adjust_cfa_offset -8
  .cfi_register rip, rax
  movq 8(%rsi), %rax
  jmp *%rax
  .cfi_endproc
  .size cosmati_sim_switch, .-cosmati_sim_switch
)");
#endif
