/// A host and a port: `127.0.0.1:4711`, `mac.local:4711`, `[::1]:4711`.
package struct NetworkAddress: Sendable, Equatable, CustomStringConvertible {
  /// The host that only processes of this machine reach.
  package static let loopback = "127.0.0.1"

  /// A name, or an address without brackets.
  package let host: String
  package let port: UInt16

  package init(host: String = Self.loopback, port: UInt16) { (self.host, self.port) = (host, port) }

  /// Reads `HOST:PORT`; nil if the text is no address.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - defaultHost: The host of an address that is a port alone; nil if that is none.
  package init?(_ text: String, defaultHost: String? = nil) {
    guard let colon = text.lastIndex(of: ":") else {
      guard let defaultHost, let port = UInt16(text) else { return nil }
      self.init(host: defaultHost, port: port)
      return
    }
    var host = text[..<colon]
    if host.hasPrefix("["), host.hasSuffix("]") {
      host = host.dropFirst().dropLast()
    } else if host.contains(":") {
      return nil
    }
    guard !host.isEmpty, !host.utf8.contains(0),
      let port = UInt16(text[text.index(after: colon)...])
    else { return nil }
    self.init(host: String(host), port: port)
  }

  /// `true` if every machine of the network reaches what listens here.
  package var isOpenToAll: Bool { ["0.0.0.0", "::"].contains(host) }

  package var description: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }
}

/// The place at which an inspector finds a running app.
package enum AppAddress: Sendable, Equatable {
  /// An app of this machine, by its name or the number of its process; nil for the only one. A container is that of a
  /// sandboxed Mac app.
  case local(String?, container: String? = nil)
  /// The app connects to the inspector. The file keeps the token.
  case listening(on: NetworkAddress, tokenFile: String? = nil)
  /// The inspector connects to the app.
  case at(NetworkAddress, tokenFile: String? = nil)
}
