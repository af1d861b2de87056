/* For S2 cores, as in divide16.c. */

#ifdef __RL78_G13__
#include "../../libc/divide32.c"
#endif
