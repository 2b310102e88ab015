#ifndef CPLATFORM_H
#define CPLATFORM_H

#include "CFork.h"
#include "CLocal.h"
#include "CVolume.h"

// The parts of the C library that Swift cannot import.

#endif
