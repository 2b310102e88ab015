#ifndef PAGE_FILES_H
#define PAGE_FILES_H

#include <stddef.h>

/// A file of the page: its name in the folder FluxPage/Page, and its bytes with a zero behind them.
struct page_file {
  const char *name;
  const unsigned char *bytes;
};

/// The number of files.
extern const size_t page_file_count;

/// Returns a file: index.html, style.css, then the modules, each after those that it imports.
struct page_file page_file_at(size_t index);

#endif
