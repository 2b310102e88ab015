import Foundation

extension ClientFormat {
  /// A path as the client writes it.
  func path(_ path: String) -> String {
    usesURIs ? URL(fileURLWithPath: path).absoluteString : path
  }

  /// The path that the client means.
  func path(fromClient text: String) -> String {
    guard text.hasPrefix("file:"), let url = URL(string: text) else { return text }
    return url.path(percentEncoded: false)
  }
}
