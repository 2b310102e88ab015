import FluxInspector
import FluxSubcommands
import FluxSystem

/// A file that keeps a token of 16 bytes, so that a saved configuration stays valid.
struct TokenFile {
  private static let byteCount = 16

  let path: String

  /// Returns the token in the file; draws one if the file is empty or missing, and writes it for the user alone.
  ///
  /// - Throws: ``CommandError`` if another user can read the file, or if it contains something else.
  func token() throws(CommandError) -> (value: AccessToken, isNew: Bool) {
    do {
      let file = try Descriptor(openingOrCreating: path, O_RDWR | O_NONBLOCK)
      let status = try file.status()
      guard status.isRegular, status.owner == geteuid(), status.permissions & 0o077 == 0 else {
        throw CommandError(
          .file, "\(path) is not a file that only you can read",
          hint: "remove it, or protect it with chmod 600")
      }
      return status.size > 0 ? (try read(file), false) : (try draw(for: file), true)
    } catch let error as SystemError {
      throw CommandError(error, at: path)
    } catch let error as CommandError {
      throw error
    } catch {
      throw CommandError(.file, "cannot use \(path): \(error)")
    }
  }

  private func read(_ file: Descriptor) throws -> AccessToken {
    var bytes: [UInt8] = []
    if case .bytes(let found) = file.receive() { bytes = found }
    if bytes.last == UInt8(ascii: "\n") { bytes.removeLast() }
    let text = String(decoding: bytes, as: UTF8.self)
    guard text.utf8.count == 2 * Self.byteCount, text.allSatisfy(\.isHexDigit) else {
      throw CommandError(
        .file,
        "\(path) does not contain a token: expected \(2 * Self.byteCount) hexadecimal digits",
        hint: "name another file, which is then written")
    }
    return AccessToken(text)
  }

  private func draw(for file: Descriptor) throws(SystemError) -> AccessToken {
    let token = AccessToken(byteCount: Self.byteCount)
    if let failure = file.write(Array("\(token.text)\n".utf8)).failure {
      // The rest would be taken for a token that is damaged.
      unsafe unlink(path)
      throw failure
    }
    return token
  }
}
