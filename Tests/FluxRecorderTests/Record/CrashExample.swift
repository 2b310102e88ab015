import Foundation

/// The example app that crashes, which is built beside the tests.
enum CrashExample {
  static var program: URL {
    #if canImport(Darwin)
      let tests = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }?.bundleURL
    #else
      let tests = Bundle.main.executableURL
    #endif
    return (tests ?? URL(filePath: CommandLine.arguments[0])).resolvingSymlinksInPath()
      .deletingLastPathComponent().appending(path: "crash-example")
  }
}
