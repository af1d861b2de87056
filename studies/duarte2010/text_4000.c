/* The paper's program on 4,000 bytes. */

enum { TEXT_BYTES = 4000 };

#include "program.h"
