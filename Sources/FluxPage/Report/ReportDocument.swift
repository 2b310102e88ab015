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
    let style = PageFiles.named("style.css")?.text ?? ""
    let policy = """
      default-src 'none'; script-src '\(SHA256.source(of: opener))' '\(SHA256.source(of: script))'; \
      style-src '\(SHA256.source(of: style))'; img-src data:; base-uri 'none'; form-action 'none'
      """
    let head = """
      <meta http-equiv="Content-Security-Policy" content="\(policy)">
      <style>\(style)</style>
      """
    let page = (PageFiles.named("index.html")?.text ?? "").replacing(styleLink, with: head)
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

  /// The modules as one classic script, because a page from disk cannot import any.
  ///
  /// A line that begins with `import` is left out. One that begins with `export` loses that word.
  static let script: String = {
    var lines = ["(() => {\"use strict\";"]
    for module in PageFiles.modules {
      for line in module.text.split(separator: "\n", omittingEmptySubsequences: false) {
        if line.hasPrefix("import ") { continue }
        lines.append(String(line.hasPrefix("export ") ? line.dropFirst("export ".count) : line))
      }
    }
    lines.append("})();")
    return lines.joined(separator: "\n")
  }()
}
