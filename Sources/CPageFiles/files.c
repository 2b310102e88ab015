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

static const unsigned char file_text_js[] = {
#embed "../FluxPage/Page/text.js"
};

static const unsigned char file_dom_js[] = {
#embed "../FluxPage/Page/dom.js"
};

static const unsigned char file_json_js[] = {
#embed "../FluxPage/Page/json.js"
};

static const unsigned char file_values_js[] = {
#embed "../FluxPage/Page/values.js"
};

static const unsigned char file_paths_js[] = {
#embed "../FluxPage/Page/paths.js"
};

static const unsigned char file_patch_js[] = {
#embed "../FluxPage/Page/patch.js"
};

static const unsigned char file_align_js[] = {
#embed "../FluxPage/Page/align.js"
};

static const unsigned char file_difference_js[] = {
#embed "../FluxPage/Page/difference.js"
};

static const unsigned char file_glob_js[] = {
#embed "../FluxPage/Page/glob.js"
};

static const unsigned char file_answers_js[] = {
#embed "../FluxPage/Page/answers.js"
};

static const unsigned char file_http_js[] = {
#embed "../FluxPage/Page/http.js"
};

static const unsigned char file_report_rows_js[] = {
#embed "../FluxPage/Page/report-rows.js"
};

static const unsigned char file_report_states_js[] = {
#embed "../FluxPage/Page/report-states.js"
};

static const unsigned char file_report_tree_js[] = {
#embed "../FluxPage/Page/report-tree.js"
};

static const unsigned char file_report_difference_js[] = {
#embed "../FluxPage/Page/report-difference.js"
};

static const unsigned char file_report_search_js[] = {
#embed "../FluxPage/Page/report-search.js"
};

static const unsigned char file_report_positions_js[] = {
#embed "../FluxPage/Page/report-positions.js"
};

static const unsigned char file_report_overview_js[] = {
#embed "../FluxPage/Page/report-overview.js"
};

static const unsigned char file_report_js[] = {
#embed "../FluxPage/Page/report.js"
};

static const unsigned char file_view_js[] = {
#embed "../FluxPage/Page/view.js"
};

static const unsigned char file_ahead_js[] = {
#embed "../FluxPage/Page/ahead.js"
};

static const unsigned char file_page_js[] = {
#embed "../FluxPage/Page/page.js"
};

static const unsigned char file_list_js[] = {
#embed "../FluxPage/Page/list.js"
};

static const unsigned char file_rows_js[] = {
#embed "../FluxPage/Page/rows.js"
};

static const unsigned char file_pieces_js[] = {
#embed "../FluxPage/Page/pieces.js"
};

static const unsigned char file_search_js[] = {
#embed "../FluxPage/Page/search.js"
};

static const unsigned char file_steprow_js[] = {
#embed "../FluxPage/Page/steprow.js"
};

static const unsigned char file_steps_js[] = {
#embed "../FluxPage/Page/steps.js"
};

static const unsigned char file_places_js[] = {
#embed "../FluxPage/Page/places.js"
};

static const unsigned char file_summary_js[] = {
#embed "../FluxPage/Page/summary.js"
};

static const unsigned char file_tree_js[] = {
#embed "../FluxPage/Page/tree.js"
};

static const unsigned char file_menu_js[] = {
#embed "../FluxPage/Page/menu.js"
};

static const unsigned char file_changed_js[] = {
#embed "../FluxPage/Page/changed.js"
};

static const unsigned char file_state_js[] = {
#embed "../FluxPage/Page/state.js"
};

static const unsigned char file_action_js[] = {
#embed "../FluxPage/Page/action.js"
};

static const unsigned char file_compare_js[] = {
#embed "../FluxPage/Page/compare.js"
};

static const unsigned char file_writes_js[] = {
#embed "../FluxPage/Page/writes.js"
};

static const unsigned char file_detail_js[] = {
#embed "../FluxPage/Page/detail.js"
};

static const unsigned char file_charts_js[] = {
#embed "../FluxPage/Page/charts.js"
};

static const unsigned char file_scale_js[] = {
#embed "../FluxPage/Page/scale.js"
};

static const unsigned char file_map_js[] = {
#embed "../FluxPage/Page/map.js"
};

static const unsigned char file_gestures_js[] = {
#embed "../FluxPage/Page/gestures.js"
};

static const unsigned char file_overview_js[] = {
#embed "../FluxPage/Page/overview.js"
};

static const unsigned char file_console_js[] = {
#embed "../FluxPage/Page/console.js"
};

static const unsigned char file_keys_js[] = {
#embed "../FluxPage/Page/keys.js"
};

static const unsigned char file_chrome_js[] = {
#embed "../FluxPage/Page/chrome.js"
};

static const unsigned char file_play_js[] = {
#embed "../FluxPage/Page/play.js"
};

static const unsigned char file_app_js[] = {
#embed "../FluxPage/Page/app.js"
};

static const unsigned char file_logs_js[] = {
#embed "../FluxPage/Page/logs.js"
};

static const unsigned char file_main_js[] = {
#embed "../FluxPage/Page/main.js"
};

static const struct page_file files[] = {
    {"index.html", file_index_html, sizeof file_index_html},
    {"style.css", file_style_css, sizeof file_style_css},
    {"text.js", file_text_js, sizeof file_text_js},
    {"dom.js", file_dom_js, sizeof file_dom_js},
    {"json.js", file_json_js, sizeof file_json_js},
    {"values.js", file_values_js, sizeof file_values_js},
    {"paths.js", file_paths_js, sizeof file_paths_js},
    {"patch.js", file_patch_js, sizeof file_patch_js},
    {"align.js", file_align_js, sizeof file_align_js},
    {"difference.js", file_difference_js, sizeof file_difference_js},
    {"glob.js", file_glob_js, sizeof file_glob_js},
    {"answers.js", file_answers_js, sizeof file_answers_js},
    {"http.js", file_http_js, sizeof file_http_js},
    {"report-rows.js", file_report_rows_js, sizeof file_report_rows_js},
    {"report-states.js", file_report_states_js, sizeof file_report_states_js},
    {"report-tree.js", file_report_tree_js, sizeof file_report_tree_js},
    {"report-difference.js", file_report_difference_js, sizeof file_report_difference_js},
    {"report-search.js", file_report_search_js, sizeof file_report_search_js},
    {"report-positions.js", file_report_positions_js, sizeof file_report_positions_js},
    {"report-overview.js", file_report_overview_js, sizeof file_report_overview_js},
    {"report.js", file_report_js, sizeof file_report_js},
    {"view.js", file_view_js, sizeof file_view_js},
    {"ahead.js", file_ahead_js, sizeof file_ahead_js},
    {"page.js", file_page_js, sizeof file_page_js},
    {"list.js", file_list_js, sizeof file_list_js},
    {"rows.js", file_rows_js, sizeof file_rows_js},
    {"pieces.js", file_pieces_js, sizeof file_pieces_js},
    {"search.js", file_search_js, sizeof file_search_js},
    {"steprow.js", file_steprow_js, sizeof file_steprow_js},
    {"steps.js", file_steps_js, sizeof file_steps_js},
    {"places.js", file_places_js, sizeof file_places_js},
    {"summary.js", file_summary_js, sizeof file_summary_js},
    {"tree.js", file_tree_js, sizeof file_tree_js},
    {"menu.js", file_menu_js, sizeof file_menu_js},
    {"changed.js", file_changed_js, sizeof file_changed_js},
    {"state.js", file_state_js, sizeof file_state_js},
    {"action.js", file_action_js, sizeof file_action_js},
    {"compare.js", file_compare_js, sizeof file_compare_js},
    {"writes.js", file_writes_js, sizeof file_writes_js},
    {"detail.js", file_detail_js, sizeof file_detail_js},
    {"charts.js", file_charts_js, sizeof file_charts_js},
    {"scale.js", file_scale_js, sizeof file_scale_js},
    {"map.js", file_map_js, sizeof file_map_js},
    {"gestures.js", file_gestures_js, sizeof file_gestures_js},
    {"overview.js", file_overview_js, sizeof file_overview_js},
    {"console.js", file_console_js, sizeof file_console_js},
    {"keys.js", file_keys_js, sizeof file_keys_js},
    {"chrome.js", file_chrome_js, sizeof file_chrome_js},
    {"play.js", file_play_js, sizeof file_play_js},
    {"app.js", file_app_js, sizeof file_app_js},
    {"logs.js", file_logs_js, sizeof file_logs_js},
    {"main.js", file_main_js, sizeof file_main_js},
};

const size_t page_file_count = sizeof files / sizeof files[0];

struct page_file page_file_at(size_t index) {
    return files[index];
}
