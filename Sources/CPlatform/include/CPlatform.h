#ifndef CPLATFORM_H
#define CPLATFORM_H

#include "CFile.h"
#include "CFork.h"
#include "CLocal.h"
#include "CNetwork.h"
#include "CStack.h"
#include "CStream.h"
#include "CThread.h"
#include "CVolume.h"

// The parts of the C library that Swift cannot import.

#endif
