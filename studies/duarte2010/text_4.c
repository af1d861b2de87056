/* The paper's program on 4 bytes. */

enum { TEXT_BYTES = 4 };

#include "program.h"
