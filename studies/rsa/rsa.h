/* Forwards to RSA without padding, for sources that include it by this name. */

#ifndef STUDY_RSA_H
#define STUDY_RSA_H

#include "../../primitives/rsa/common/rsa_raw.h"

#endif
