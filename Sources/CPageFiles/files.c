#include "page_files.h"

// Every supported compiler has #embed, which is newer than the language of the other targets.
#pragma clang diagnostic ignored "-Wc23-extensions"

// The one list of the files of the page. A module comes after those that it imports.
static const struct page_file files[] = {
    {"index.html", (const unsigned char[]){
#embed "../FluxPage/Page/index.html" suffix(, 0)
    }},
    {"style.css", (const unsigned char[]){
#embed "../FluxPage/Page/style.css" suffix(, 0)
    }},
    {"text.js", (const unsigned char[]){
#embed "../FluxPage/Page/text.js" suffix(, 0)
    }},
    {"dom.js", (const unsigned char[]){
#embed "../FluxPage/Page/dom.js" suffix(, 0)
    }},
    {"json.js", (const unsigned char[]){
#embed "../FluxPage/Page/json.js" suffix(, 0)
    }},
    {"values.js", (const unsigned char[]){
#embed "../FluxPage/Page/values.js" suffix(, 0)
    }},
    {"paths.js", (const unsigned char[]){
#embed "../FluxPage/Page/paths.js" suffix(, 0)
    }},
    {"patch.js", (const unsigned char[]){
#embed "../FluxPage/Page/patch.js" suffix(, 0)
    }},
    {"align.js", (const unsigned char[]){
#embed "../FluxPage/Page/align.js" suffix(, 0)
    }},
    {"difference.js", (const unsigned char[]){
#embed "../FluxPage/Page/difference.js" suffix(, 0)
    }},
    {"glob.js", (const unsigned char[]){
#embed "../FluxPage/Page/glob.js" suffix(, 0)
    }},
    {"answers.js", (const unsigned char[]){
#embed "../FluxPage/Page/answers.js" suffix(, 0)
    }},
    {"http.js", (const unsigned char[]){
#embed "../FluxPage/Page/http.js" suffix(, 0)
    }},
    {"report-rows.js", (const unsigned char[]){
#embed "../FluxPage/Page/report-rows.js" suffix(, 0)
    }},
    {"report-states.js", (const unsigned char[]){
#embed "../FluxPage/Page/report-states.js" suffix(, 0)
    }},
    {"report-tree.js", (const unsigned char[]){
#embed "../FluxPage/Page/report-tree.js" suffix(, 0)
    }},
    {"report-difference.js", (const unsigned char[]){
#embed "../FluxPage/Page/report-difference.js" suffix(, 0)
    }},
    {"report-search.js", (const unsigned char[]){
#embed "../FluxPage/Page/report-search.js" suffix(, 0)
    }},
    {"report-positions.js", (const unsigned char[]){
#embed "../FluxPage/Page/report-positions.js" suffix(, 0)
    }},
    {"report-overview.js", (const unsigned char[]){
#embed "../FluxPage/Page/report-overview.js" suffix(, 0)
    }},
    {"report.js", (const unsigned char[]){
#embed "../FluxPage/Page/report.js" suffix(, 0)
    }},
    {"view.js", (const unsigned char[]){
#embed "../FluxPage/Page/view.js" suffix(, 0)
    }},
    {"ahead.js", (const unsigned char[]){
#embed "../FluxPage/Page/ahead.js" suffix(, 0)
    }},
    {"page.js", (const unsigned char[]){
#embed "../FluxPage/Page/page.js" suffix(, 0)
    }},
    {"list.js", (const unsigned char[]){
#embed "../FluxPage/Page/list.js" suffix(, 0)
    }},
    {"rows.js", (const unsigned char[]){
#embed "../FluxPage/Page/rows.js" suffix(, 0)
    }},
    {"pieces.js", (const unsigned char[]){
#embed "../FluxPage/Page/pieces.js" suffix(, 0)
    }},
    {"search.js", (const unsigned char[]){
#embed "../FluxPage/Page/search.js" suffix(, 0)
    }},
    {"steprow.js", (const unsigned char[]){
#embed "../FluxPage/Page/steprow.js" suffix(, 0)
    }},
    {"steps.js", (const unsigned char[]){
#embed "../FluxPage/Page/steps.js" suffix(, 0)
    }},
    {"places.js", (const unsigned char[]){
#embed "../FluxPage/Page/places.js" suffix(, 0)
    }},
    {"summary.js", (const unsigned char[]){
#embed "../FluxPage/Page/summary.js" suffix(, 0)
    }},
    {"tree.js", (const unsigned char[]){
#embed "../FluxPage/Page/tree.js" suffix(, 0)
    }},
    {"menu.js", (const unsigned char[]){
#embed "../FluxPage/Page/menu.js" suffix(, 0)
    }},
    {"changed.js", (const unsigned char[]){
#embed "../FluxPage/Page/changed.js" suffix(, 0)
    }},
    {"state.js", (const unsigned char[]){
#embed "../FluxPage/Page/state.js" suffix(, 0)
    }},
    {"action.js", (const unsigned char[]){
#embed "../FluxPage/Page/action.js" suffix(, 0)
    }},
    {"compare.js", (const unsigned char[]){
#embed "../FluxPage/Page/compare.js" suffix(, 0)
    }},
    {"type.js", (const unsigned char[]){
#embed "../FluxPage/Page/type.js" suffix(, 0)
    }},
    {"writes.js", (const unsigned char[]){
#embed "../FluxPage/Page/writes.js" suffix(, 0)
    }},
    {"detail.js", (const unsigned char[]){
#embed "../FluxPage/Page/detail.js" suffix(, 0)
    }},
    {"charts.js", (const unsigned char[]){
#embed "../FluxPage/Page/charts.js" suffix(, 0)
    }},
    {"scale.js", (const unsigned char[]){
#embed "../FluxPage/Page/scale.js" suffix(, 0)
    }},
    {"map.js", (const unsigned char[]){
#embed "../FluxPage/Page/map.js" suffix(, 0)
    }},
    {"gestures.js", (const unsigned char[]){
#embed "../FluxPage/Page/gestures.js" suffix(, 0)
    }},
    {"overview.js", (const unsigned char[]){
#embed "../FluxPage/Page/overview.js" suffix(, 0)
    }},
    {"console.js", (const unsigned char[]){
#embed "../FluxPage/Page/console.js" suffix(, 0)
    }},
    {"keys.js", (const unsigned char[]){
#embed "../FluxPage/Page/keys.js" suffix(, 0)
    }},
    {"chrome.js", (const unsigned char[]){
#embed "../FluxPage/Page/chrome.js" suffix(, 0)
    }},
    {"play.js", (const unsigned char[]){
#embed "../FluxPage/Page/play.js" suffix(, 0)
    }},
    {"app.js", (const unsigned char[]){
#embed "../FluxPage/Page/app.js" suffix(, 0)
    }},
    {"logs.js", (const unsigned char[]){
#embed "../FluxPage/Page/logs.js" suffix(, 0)
    }},
    {"main.js", (const unsigned char[]){
#embed "../FluxPage/Page/main.js" suffix(, 0)
    }},
};

const size_t page_file_count = sizeof files / sizeof files[0];

struct page_file page_file_at(size_t index) {
    return files[index];
}
