public import ArgumentParser
package import FluxHost
public import FluxReplay

/// The app that replays logs, and the comparison with the recordings: the options that `verify` and `review` share.
package struct ReplayOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The app's executable, which replays actions in fresh stores", valueName: "path"),
    completion: .file())
  package var app: String

  @Option(
    help: ArgumentHelp(
      "Skip this path when comparing: a JSON Pointer with * for any member, or a JSONPath; either begins with a store name",
      valueName: "path"))
  var ignore: [String] = []

  @Option(help: "The relative difference allowed between numbers; absolute if both are below 1")
  var tolerance = 0.0

  @Option(
    help: ArgumentHelp(
      "Compare or ignore the messages with which reducers refuse actions",
      valueName: "compare|ignore"))
  var messages = Verification.Treatment.compare

  @Option(
    help: ArgumentHelp(
      "Compare or ignore the app's initial states; ignore them for a saved fork, and for an app that "
        + "restores persisted states",
      valueName: "compare|ignore"))
  var initial = Verification.Treatment.compare

  @Option(
    help: ArgumentHelp(
      "The seconds the app may take to start, and to answer one request", valueName: "s"))
  package var timeout = 30.0

  package init() {}

  package func validate() throws {
    guard tolerance >= 0, tolerance.isFinite else {
      throw ValidationError("--tolerance: expected a number, at least 0, found \(tolerance)")
    }
    guard timeout > 0, timeout.isFinite else {
      throw ValidationError("--timeout: expected seconds above 0, found \(timeout)")
    }
    _ = try ignoredPaths()
  }

  /// The app in a separate process; `isCancelled` is called often while a thread waits for it, and `true` stops it.
  package func hostApp(isCancelled: @escaping @Sendable () -> Bool) -> HostApp {
    var limits = HostApp.Limits()
    (limits.start, limits.call) = (timeout, timeout)
    return HostApp(executable: app, limits: limits, isCancelled: isCancelled)
  }

  /// The settings of the comparison.
  package var verification: Verification.Options {
    var options = Verification.Options()
    options.tolerance = tolerance
    options.messages = messages
    options.initial = initial
    do {
      options.ignoring = try ignoredPaths()
    } catch {
      preconditionFailure("the paths were read when the arguments were")
    }
    return options
  }

  /// The places that are not compared.
  private func ignoredPaths() throws -> [IgnoredPath] {
    try ignore.map { text in
      do {
        return try IgnoredPath(text)
      } catch {
        throw ValidationError("--ignore \(text): \(error)")
      }
    }
  }
}

extension Verification.Treatment: ExpressibleByArgument {}
