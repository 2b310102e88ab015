#if os(Linux)
  public import Foundation

  /// The compiler, for sources that a test writes against the modules of this build.
  ///
  /// Xcode keeps modules elsewhere, so these tests run on Linux alone.
  public enum SwiftCompiler {
    /// Arguments that let sources import the modules of this build, internal declarations included.
    public static let imports: [String] =
      ["-swift-version", "6", "-enable-testing", "-I", BuiltProduct.path("Modules")]
      + ["CChecksum", "CPlatform", "CTokens"].flatMap {
        ["-Xcc", "-fmodule-map-file=\(BuiltProduct.path("\($0).build/module.modulemap"))"]
      }

    /// The sanitizer that this build has, which a program that is linked with its objects needs too.
    private static let sanitizer =
      unsafe dlsym(nil, "__tsan_init") == nil ? [] : ["-sanitize=thread"]

    /// Runs the compiler; returns its exit code and its messages.
    public static func run(
      _ arguments: [String], in folder: URL? = nil
    ) throws -> (code: Int32, messages: String) {
      let compiler = Process()
      compiler.executableURL = URL(filePath: "/usr/bin/env")
      if let folder { compiler.currentDirectoryURL = folder }
      compiler.arguments = ["swiftc"] + sanitizer + arguments
      let messages = Pipe()
      compiler.standardError = messages
      try compiler.run()
      let text = try messages.fileHandleForReading.readToEnd() ?? Data()
      compiler.waitUntilExit()
      return (compiler.terminationStatus, String(decoding: text, as: UTF8.self))
    }

    /// The objects of modules of this build, to link a program with.
    ///
    /// A build keeps the objects of sources that were renamed since, which are left out.
    public static func objects(of modules: [String]) throws -> [String] {
      try modules.flatMap { module in
        let folder = BuiltProduct.path("\(module).build")
        let objects = try FileManager.default.contentsOfDirectory(atPath: folder)
          .filter { $0.hasSuffix(".o") }.sorted()
        let list = "\(folder)/sources"
        // Modules in C have no list of their sources.
        guard FileManager.default.fileExists(atPath: list) else {
          return objects.map { "\(folder)/\($0)" }
        }
        let sources = try String(contentsOfFile: list, encoding: .utf8).split(separator: "\n")
        let current = Set(
          sources.map { "\(URL(filePath: String($0)).lastPathComponent).o" })
        return objects.filter(current.contains).map { "\(folder)/\($0)" }
      }
    }
  }
#endif
