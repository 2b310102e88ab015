import Foundation

/// Where the build has put the programs that it made beside the tests.
public enum BuiltProduct {
  /// The path of a program.
  public static func path(_ name: String) -> String {
    folder.appendingPathComponent(name).path
  }

  private static var folder: URL {
    #if canImport(Darwin)
      let bundles = Bundle.allBundles.filter { $0.bundlePath.hasSuffix(".xctest") }
      let tests = bundles.first?.bundleURL ?? Bundle.main.bundleURL
    #else
      let tests = Bundle.main.executableURL ?? URL(fileURLWithPath: CommandLine.arguments[0])
    #endif
    return tests.resolvingSymlinksInPath().deletingLastPathComponent()
  }
}
