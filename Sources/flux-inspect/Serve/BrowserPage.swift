import FluxInspector
import FluxSubcommands
import FluxSystem
import Foundation

/// A file that leads the browser to the page.
///
/// The arguments of a process are public, so the address with its token is in a file that only the user can read.
struct BrowserPage {
  private let path: String

  /// Writes the file.
  ///
  /// - Throws: `CommandError` if it cannot be written.
  init(_ address: String) throws(CommandError) {
    let name = "flux-inspect-\(String(UInt64.random(in: .min ... .max), radix: 16)).html"
    path = URL.temporaryDirectory.appending(path: name).path(percentEncoded: false)
    let text = """
      <!doctype html><meta charset="utf-8"><meta name="referrer" content="no-referrer">\
      <meta http-equiv="refresh" content="0;url=\(address)"><title>flux-inspect</title>

      """
    do throws(SystemError) {
      let file = try Descriptor(
        opening: path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, permissions: 0o600)
      if let failure = file.write(Array(text.utf8)).failure { throw failure }
    } catch {
      throw CommandError(error, "cannot write \(path)")
    }
  }

  /// Opens the file in the browser; returns what went wrong.
  func open() -> String? {
    let none = "there is no browser to open; open the address yourself"
    #if os(macOS) || os(Linux)
      #if os(macOS)
        let (program, arguments) = ("/usr/bin/open", [path])
      #else
        let (program, arguments) = ("/usr/bin/env", ["xdg-open", path])
      #endif
      let process = Process()
      process.executableURL = URL(filePath: program)
      process.arguments = arguments
      (process.standardOutput, process.standardError) = (
        FileHandle.nullDevice, FileHandle.nullDevice
      )
      do {
        try process.run()
      } catch {
        return "cannot open the browser: \(error.localizedDescription); open the address yourself"
      }
      process.waitUntilExit()
      return process.terminationStatus == 0 ? nil : none
    #else
      return none
    #endif
  }

  func remove() { _ = unsafe unlink(path) }
}
