/* The paper's program on 40,000 bytes. */

enum { TEXT_BYTES = 40000 };

#include "program.h"
