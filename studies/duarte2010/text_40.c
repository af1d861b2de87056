/* The paper's program on 40 bytes. */

enum { TEXT_BYTES = 40 };

#include "program.h"
