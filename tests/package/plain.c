/* SPDX-License-Identifier: MIT */
/* Precompiled headers of C++ are not its. */
int from_c(void) { return 0; }
