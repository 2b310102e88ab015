import FluxSystem

// The arguments of the requests that begin a session, with the members that the adapter uses.

struct InitializeArguments: Decodable {
  var linesStartAt1: Bool?
  var columnsStartAt1: Bool?
  var pathFormat: String?
  var supportsVariablePaging: Bool?
  var supportsProgressReporting: Bool?
}

/// `launch` opens a log; `attach` follows one that is still being written, or that of a running app.
struct LaunchArguments: Decodable {
  /// The log, as `launch` names it.
  var program: String?
  /// The log, as `attach` names it.
  var log: String?
  /// The running app, as `attach` names it: its name, or the number of its process.
  var process: ProcessArgument?
  /// The address on which the adapter listens for an app that connects, as `attach` names it: a port, or host and port.
  var listen: AddressArgument?
  /// The address of an app that listens, as `attach` names it.
  var connect: AddressArgument?
  /// The file that keeps the token of ``listen`` or ``connect``.
  var tokenFile: String?
  /// The bundle identifier of the sandboxed Mac app that ``process`` names.
  var container: String?
  /// `false` if a running app does not show where the recording stands.
  var show: Bool?
  /// The app's executable.
  var app: String?
  /// The folders to look for source files in.
  var sourceRoots: [String]?
  /// The folders of modules, if their files are not found otherwise.
  var sourceMap: [String: String]?
  var stopOnEntry: Bool?

  /// The running app to attach to; nil if there is none.
  var runningApp: AppAddress? {
    if let listen { return .listening(on: listen.address, tokenFile: tokenFile) }
    if let connect { return .at(connect.address, tokenFile: tokenFile) }
    return process.map { .local($0.text, container: container) }
  }
}

/// `"TodoMVC"`, `"4242"` or `4242`.
struct ProcessArgument: Decodable, Equatable {
  let text: String

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    do {
      text = String(try container.decode(Int.self))
      return
    } catch DecodingError.typeMismatch {
      // A text, or a mistake that decoding a text reports.
    }
    text = try container.decode(String.self)
  }
}

/// `4711`, `"4711"` or `"mac.local:4711"`.
struct AddressArgument: Decodable, Equatable {
  let address: NetworkAddress

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    do {
      address = NetworkAddress(port: try container.decode(UInt16.self))
      return
    } catch DecodingError.typeMismatch {
      // A text, or a mistake that decoding a text reports.
    }
    let text = try container.decode(String.self)
    guard let address = NetworkAddress(text, defaultHost: NetworkAddress.loopback) else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "\(text) is not an address; expected HOST:PORT or a port")
    }
    self.address = address
  }
}
