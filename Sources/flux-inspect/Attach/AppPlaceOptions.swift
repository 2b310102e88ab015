import ArgumentParser
import FluxReplay
import FluxSystem

/// The options that say how a running app is reached: those of `attach` and `serve`.
struct AppPlaceOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Listen for an app that connects, by default on 127.0.0.1; on 0.0.0.0, devices on the network reach it",
      valueName: "[host:]port"))
  var listen: NetworkAddress?

  @Option(
    help: ArgumentHelp(
      "Connect to an app that listens on a port, such as one that iproxy forwards from a device",
      valueName: "host:port"))
  var connect: NetworkAddress?

  @Option(
    help: ArgumentHelp(
      "Look in the container of a sandboxed Mac app", valueName: "bundle-id"))
  var container: String?

  @Option(
    help: ArgumentHelp(
      "With --listen or --connect, keep the token in this file", valueName: "file"),
    completion: .file())
  var tokenFile: String?

  func validate() throws {
    guard listen == nil || connect == nil else {
      throw ValidationError("--listen and --connect exclude each other")
    }
    guard container == nil || !isNetwork else {
      throw ValidationError("--container is for apps of this machine; remove --listen or --connect")
    }
    guard tokenFile == nil || isNetwork else {
      throw ValidationError("--token-file needs --listen or --connect")
    }
  }

  /// Refuses a name that no app has, such as that of a variable which is not set.
  static func check(name: String?) throws {
    guard name != "" else {
      throw ValidationError("the app's name is empty; write its name or its process ID")
    }
  }

  /// `true` if the app is reached over TCP.
  var isNetwork: Bool { listen != nil || connect != nil }

  /// The place of the app; a name is that of an app of this machine.
  func address(_ name: String?) -> AppAddress {
    if let listen { return .listening(on: listen, tokenFile: tokenFile) }
    if let connect { return .at(connect, tokenFile: tokenFile) }
    return .local(name, container: container)
  }
}

extension NetworkAddress: ExpressibleByArgument {
  /// Reads `HOST:PORT`, or a port of this machine.
  init?(argument: String) { self.init(argument, defaultHost: Self.loopback) }
}
