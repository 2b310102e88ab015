package import FluxSystem

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
