import Foundation
import PackagePlugin

/// `swift package verify-recordings`: replays the package's recordings in its app.
///
/// The plugin builds the app and `flux-verify`, finds the recordings, and runs the one with the other on them. SwiftPM
/// ends with 1 whenever verify does not end with 0; the error names verify's own exit code.
///
/// `flux-verify` is built as a product, beside the app, and not as a tool of the plugin: SwiftPM builds the modules that
/// tools need a second time, for the host.
@main
struct VerifyRecordings: CommandPlugin {
  func performCommand(context: PluginContext, arguments: [String]) throws {
    var request = try Request(arguments)
    if request.asksForHelp {
      print(Request.help)
      return
    }
    let root = context.package.directoryURL
    if request.logs.isEmpty { request.logs = defaultFolders(of: context.package) }
    guard !request.logs.isEmpty else {
      throw Problem(
        """
        this package has no recordings: there is no folder Recordings beside Package.swift, or in a test target. \
        Name logs or folders: swift package verify-recordings PATH...
        """)
    }
    if request.updates { try checkWriting(to: root) }
    let product = try product(of: context.package, named: request.product)
    let app = try build(product.name)
    let process = Process()
    process.executableURL = try build("flux-verify")
    process.arguments =
      request.logs + ["--app", path(of: portable(app), from: root)] + request.options
    process.currentDirectoryURL = root
    try process.run()
    process.waitUntilExit()
    guard process.terminationReason == .exit, process.terminationStatus == 0 else {
      throw Problem(ending(of: process))
    }
  }

  private func ending(of process: Process) -> String {
    guard process.terminationReason == .exit else {
      return "verify was ended by signal \(process.terminationStatus)"
    }
    let meaning =
      switch process.terminationStatus {
      case 1: "a recording diverged"
      case 2: "wrong usage"
      case 4: "a recording is damaged or cannot be read"
      case 5: "replay could not run, or compared nothing"
      default: "see above"
      }
    return "verify exited with \(process.terminationStatus): \(meaning)"
  }

  // MARK: Recordings

  /// The folders named Recordings beside the manifest and in test targets, as paths from the package's folder.
  private func defaultFolders(of package: Package) -> [String] {
    let tests = package.targets(ofType: SwiftSourceModuleTarget.self).filter { $0.kind == .test }
    let folders = [package.directoryURL] + tests.map(\.directoryURL)
    var seen: Set<String> = []
    return folders.map { $0.appending(path: "Recordings") }
      .filter { folder in
        var isFolder: ObjCBool = false
        return FileManager.default.fileExists(
          atPath: folder.path(percentEncoded: false), isDirectory: &isFolder) && isFolder.boolValue
      }
      .map { path(of: $0, from: package.directoryURL) }
      .filter { seen.insert($0).inserted }
  }

  /// Makes sure that recordings can be rewritten, before anything is built.
  private func checkWriting(to folder: URL) throws {
    let probe = folder.appending(path: ".verify-recordings-\(UUID().uuidString)")
    do {
      try Data().write(to: probe)
      try FileManager.default.removeItem(at: probe)
    } catch {
      throw Problem(
        """
        --update rewrites recordings, and SwiftPM keeps plugins from writing to the package unless you allow it: \
        swift package --allow-writing-to-package-directory verify-recordings --update
        """)
    }
  }

  /// A path from the folder if it is inside, otherwise the whole path.
  private func path(of file: URL, from folder: URL) -> String {
    let file = file.path(percentEncoded: false)
    let start = folder.path(percentEncoded: false)
    let prefix = start.hasSuffix("/") ? start : start + "/"
    return file.hasPrefix(prefix) ? String(file.dropFirst(prefix.count)) : file
  }

  /// The executable below `.build/debug`, which leads to the folder of the machine, so that the commands of a report run on
  /// another machine too; the one that was built if there is no such path.
  private func portable(_ executable: URL) -> URL {
    let folder = executable.deletingLastPathComponent()
    let link = folder.deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: folder.lastPathComponent)
    guard link.resolvingSymlinksInPath() == folder.resolvingSymlinksInPath() else {
      return executable
    }
    return link.appending(path: executable.lastPathComponent)
  }

  // MARK: Products

  /// The product to build: the one that is named, or the only one that records.
  private func product(of package: Package, named name: String?) throws -> ExecutableProduct {
    let executables = package.products(ofType: ExecutableProduct.self)
    let recording = executables.filter { product in
      product.mainTarget.recursiveTargetDependencies.contains { $0.name == "FluxRecorder" }
    }
    if let name {
      if let product = executables.first(where: { $0.name == name }) { return product }
      throw Problem(
        "there is no executable product \(name); \(Self.list(executables, "this package has"))")
    }
    guard recording.count != 1 else { return recording[0] }
    guard recording.isEmpty else {
      throw Problem(
        "\(Self.list(recording, "several products use FluxRecorder:")); choose one with --product")
    }
    throw Problem(
      """
      no executable product of this package uses FluxRecorder; \(Self.list(executables, "it has")); \
      choose one with --product
      """)
  }

  private static func list(_ products: [ExecutableProduct], _ start: String) -> String {
    products.isEmpty
      ? "\(start) no executable products"
      : "\(start) \(products.map(\.name).sorted().joined(separator: ", "))"
  }

  /// Builds a product of this package or of one that it depends on; returns its executable.
  private func build(_ product: String) throws -> URL {
    let result = try packageManager.build(
      .product(product), parameters: .init(configuration: .inherit))
    guard result.succeeded else {
      print(result.logText)
      throw Problem("\(product) does not build")
    }
    let artifact = result.builtArtifacts.first { artifact in
      artifact.kind == .executable && artifact.url.lastPathComponent == product
    }
    guard let artifact else {
      throw Problem("SwiftPM built \(product) and did not report where its executable is")
    }
    return artifact.url
  }
}

/// The arguments of the plugin: its own, and those that it passes to verify.
struct Request {
  static let help = """
    USAGE: swift package verify-recordings [--product <product>] [<log or folder> ...] [<options of verify>]

    Builds the app's product, and replays the package's recordings in it. Without paths, these are the folders
    Recordings beside Package.swift and in test targets. Without --product, the app is the only executable
    product that uses FluxRecorder.

    Options of verify, such as --keep-going, --junit <file>, --github, --ignore <path> and --twice, are passed on;
    'swift run flux-inspect verify --help' lists them. --update rewrites recordings that diverged; where SwiftPM
    keeps plugins from writing, it needs: swift package --allow-writing-to-package-directory verify-recordings
    --update
    """

  /// The options of verify that take a value, which is no path of a log.
  private static let valued: Set = [
    "--ignore", "--tolerance", "--messages", "--initial", "--timeout", "--junit", "--jobs",
    "--shard", "--report", "--format", "--color",
  ]
  /// The options of verify that take none.
  private static let flags: Set = [
    "--twice", "--strict", "--tap", "--github", "--keep-going", "--allow-empty", "--update",
    "--no-pager", "--version", "--help", "-h",
  ]

  var product: String?
  var logs: [String] = []
  var options: [String] = []

  /// Reads the arguments, so that wrong ones are refused before anything is built.
  ///
  /// - Throws: ``Problem`` if verify has no such option, or if an option lacks its value.
  init(_ arguments: [String]) throws {
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      guard argument.hasPrefix("-") else {
        logs.append(argument)
        continue
      }
      let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let name = String(parts[0])
      if Self.flags.contains(name), parts.count == 1 {
        options.append(name)
      } else if name == "--product" || Self.valued.contains(name) {
        guard let value = parts.count == 2 ? String(parts[1]) : rest.popFirst() else {
          throw Problem(
            "\(name) needs a value; 'swift package verify-recordings --help' shows more")
        }
        if name == "--product" {
          product = value
        } else {
          options += [name, value]
        }
      } else if name == "--app" {
        throw Problem(
          "the plugin builds the app itself; name its product with --product, not --app")
      } else {
        throw Problem(
          """
          verify has no option \(argument); 'swift run flux-inspect verify --help' lists the options
          """)
      }
    }
  }

  var asksForHelp: Bool { options.contains("--help") || options.contains("-h") }
  var updates: Bool { options.contains("--update") }
}

/// A reason why the recordings were not verified, or did not pass.
struct Problem: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) {
    self.description = description
  }
}
