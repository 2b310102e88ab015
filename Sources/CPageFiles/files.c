// Written by Scripts/page-files. Do not edit.

#include "page_files.h"

// Every supported compiler has #embed, which is newer than the language of the other targets.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char file_index_html[] = {
#embed "../FluxPage/Page/index.html"
};

static const unsigned char file_style_css[] = {
#embed "../FluxPage/Page/style.css"
};

static const unsigned char file_main_js[] = {
#embed "../FluxPage/Page/main.js"
};

static const unsigned char file_report_js[] = {
#embed "../FluxPage/Page/report.js"
};

static const struct page_file files[] = {
    {"index.html", file_index_html, sizeof file_index_html},
    {"style.css", file_style_css, sizeof file_style_css},
    {"main.js", file_main_js, sizeof file_main_js},
    {"report.js", file_report_js, sizeof file_report_js},
};

const size_t page_file_count = sizeof files / sizeof files[0];

struct page_file page_file_at(size_t index) {
    return files[index];
}
