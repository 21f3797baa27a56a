/* SPDX-License-Identifier: Apache-2.0 */
#include <cosmati/kernels.h>
#include <stdio.h>
#include <string.h>

int main(void) {
  if (cosmati_copy(NULL, NULL, NULL) != 1) return 1;
  puts(cosmati_last_error());
  return strstr(cosmati_last_error(), "src is null") == NULL;
}
