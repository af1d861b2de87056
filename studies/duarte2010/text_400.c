/* The paper's program on 400 bytes. */

enum { TEXT_BYTES = 400 };

#include "program.h"
