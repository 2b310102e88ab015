#ifndef CZLIB_H
#define CZLIB_H

// zlib, for the page, its reports and compressed logs. Every SDK of Apple has it; on Linux its headers are a package.
#if !__has_include(<zlib.h>)
#error "zlib's headers are missing. Scripts/install-headers installs them (on Debian and Ubuntu: apt-get install zlib1g-dev)."
#else
#include <zlib.h>
#endif

#endif
