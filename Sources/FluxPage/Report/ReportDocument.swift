import FluxSystem
import Foundation

/// The HTML of a report: the page, its style and its script in one file that opens from disk.
struct ReportDocument {
  private static let styleLink = #"<link rel="stylesheet" href="style.css">"#
  private static let scriptLink = #"<script type="module" src="main.js"></script>"#

  /// Returns the document around compressed data.
  static func bytes(data: [UInt8]) -> [UInt8] {
    frame.before + Array(Data(data).base64EncodedData()) + frame.after
  }

  /// The document before and behind the data, which is the same for each log.
  private static let frame: (before: [UInt8], after: [UInt8]) = {
    let policy = """
      default-src 'none'; script-src '\(source(of: opener))' '\(source(of: script))'; \
      style-src '\(source(of: PageFiles.style))'; img-src data:; base-uri 'none'; form-action 'none'
      """
    let head = """
      <meta http-equiv="Content-Security-Policy" content="\(policy)">
      <style>\(PageFiles.style)</style>
      """
    let page = PageFiles.document.replacing(styleLink, with: head)
    let parts = page.split(separator: scriptLink, maxSplits: 1, omittingEmptySubsequences: false)
    let end = parts.count > 1 ? String(parts[1]) : ""
    let compressed = Data(GzipFile(Array(script.utf8)).bytes).base64EncodedString()
    return (
      Array("\(parts.first ?? "")\(block("flux-data"))".utf8),
      Array(
        "</script>\n\(block("flux-page"))\(compressed)</script>\n<script>\(opener)</script>\(end)"
          .utf8
      )
    )
  }()

  /// Returns the name of a script or a style in a Content Security Policy: `sha256-` and the sum in base64.
  static func source(of text: String) -> String {
    "sha256-" + Data(SHA256.sum(Array(text.utf8))).base64EncodedString()
  }

  private static func block(_ id: String) -> String {
    #"<script type="application/octet-stream" id="\#(id)">"#
  }

  /// The script that opens a report: it unpacks the page's script, and runs it.
  ///
  /// Compressed, the page takes half of the bytes in each report. The policy names both scripts by their hashes.
  static let opener = """
    (async () => {
      const packed = atob(document.getElementById('flux-page').textContent);
      const bytes = Uint8Array.from(packed, (character) => character.charCodeAt(0));
      const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
      const script = document.createElement('script');
      script.textContent = await new Response(stream).text();
      document.body.append(script);
    })().catch((error) => {
      const banner = document.getElementById('banner');
      banner.textContent = `This report needs a browser of 2023 or later: ${error.message}`;
      banner.hidden = false;
    });
    """

  /// All modules as one classic script, because a page from disk cannot import any.
  static let script =
    "(() => {\"use strict\";\n\(PageFiles.script)\(PageFiles.reportScript)})();"
}
