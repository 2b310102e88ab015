#ifndef PAGE_FILES_H
#define PAGE_FILES_H

/// The files of the folder FluxPage/Page, each text with a zero behind it.
struct page_files {
  const unsigned char *document;
  const unsigned char *style;
  /// The modules of the page, one behind the other, each after those that it imports.
  const unsigned char *script;
  /// The modules that only reports have, behind those of the page in the same scope.
  const unsigned char *report_script;
};

/// Returns the files.
struct page_files page_files(void);

#endif
