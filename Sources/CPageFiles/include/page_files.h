#ifndef PAGE_FILES_H
#define PAGE_FILES_H

#include <stddef.h>

/// A file of the page, as it is in the folder FluxPage/Page.
struct page_file {
  const char *name;
  const unsigned char *bytes;
  size_t size;
};

/// The number of files.
extern const size_t page_file_count;

/// Returns a file: index.html, style.css, then the modules in the order of modules.txt.
struct page_file page_file_at(size_t index);

#endif
