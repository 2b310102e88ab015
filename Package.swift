// swift-tools-version: 6.2
import PackageDescription

/// The settings that every target is built with: a warning anywhere is a failed build.
let strict: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .strictMemorySafety(),
  .treatAllWarnings(as: .error),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

// Only Apple's systems read a privacy manifest. Elsewhere it would add a bundle, and code that finds it, to every app.
#if os(macOS)
  let privacyManifest: (resources: [Resource], excluded: [String]) = (
    [.copy("PrivacyInfo.xcprivacy")], []
  )
#else
  let privacyManifest: (resources: [Resource], excluded: [String]) = ([], ["PrivacyInfo.xcprivacy"])
#endif

let package = Package(
  name: "flux-inspect",
  platforms: [
    .macOS(.v15), .macCatalyst(.v18), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2),
  ],
  products: [
    .library(name: "FluxCore", targets: ["FluxCore"]),
    .library(name: "FluxJSON", targets: ["FluxJSON"]),
    .library(name: "FluxLog", targets: ["FluxLog"]),
    .library(name: "FluxRules", targets: ["FluxRules"]),
    .library(name: "FluxReplay", targets: ["FluxReplay"]),
    .library(name: "FluxHost", targets: ["FluxHost"]),
    .library(name: "FluxRecorder", targets: ["FluxRecorder"]),
    .library(name: "FluxTesting", targets: ["FluxTesting"]),
    .library(name: "FluxXCTest", targets: ["FluxXCTest"]),
    .library(name: "FluxInspector", targets: ["FluxInspector"]),
    .library(name: "FluxCommands", targets: ["FluxCommands"]),
    .executable(name: "flux-inspect", targets: ["flux-inspect"]),
    .executable(name: "flux-verify", targets: ["flux-verify"]),
    .plugin(name: "VerifyRecordings", targets: ["VerifyRecordings"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
    .package(url: "https://github.com/apple/swift-log", from: "1.6.0"),
  ],
  targets: [
    .target(name: "FluxCore"),
    .target(name: "CChecksum"),
    .target(name: "CTokens"),
    .target(name: "CPlatform"),
    .target(
      name: "FluxSystem", dependencies: ["CPlatform"], exclude: privacyManifest.excluded,
      resources: privacyManifest.resources),
    .target(name: "FluxJSON", dependencies: ["CTokens"]),
    .target(name: "FluxLog", dependencies: ["CChecksum", "CTokens", "FluxJSON", "FluxSystem"]),
    .target(name: "FluxRules", dependencies: ["FluxJSON", "FluxLog", "FluxSystem"]),
    .target(name: "FluxReplay", dependencies: ["FluxJSON", "FluxLog", "FluxSystem"]),
    .target(name: "FluxHost", dependencies: ["FluxJSON", "FluxLog", "FluxReplay", "FluxSystem"]),
    .target(
      name: "FluxRecorder",
      dependencies: [
        "FluxCore", "FluxJSON", "FluxLog", "FluxReplay", "FluxSystem",
        .product(name: "Logging", package: "swift-log"),
      ]),
    .target(
      name: "FluxRecordings",
      dependencies: [
        "FluxCore", "FluxJSON", "FluxLog", "FluxRecorder", "FluxReplay", "FluxRules",
        "FluxSystem",
      ]),
    .target(
      name: "FluxTesting",
      dependencies: [
        "FluxCore", "FluxRecorder", "FluxRecordings", "FluxReplay", "FluxRules",
      ]),
    .target(
      name: "FluxXCTest",
      dependencies: ["FluxCore", "FluxRecorder", "FluxRecordings", "FluxReplay", "FluxRules"]),
    .target(
      name: "FluxInspector",
      dependencies: ["FluxJSON", "FluxLog", "FluxReplay", "FluxRules", "FluxSystem"]),
    .target(
      name: "FluxExchange",
      dependencies: ["FluxInspector", "FluxJSON", "FluxLog", "FluxReplay", "FluxSystem"]),
    .target(
      name: "FluxCommands",
      dependencies: [
        "FluxExchange", "FluxInspector", "FluxJSON", "FluxLog", "FluxReplay", "FluxRules",
        "FluxSystem",
      ]),
    .target(
      name: "FluxCorpus",
      dependencies: [
        "FluxCommands", "FluxExchange", "FluxInspector", "FluxJSON", "FluxLog", "FluxReplay",
        "FluxRules", "FluxSystem",
      ]),
    .target(name: "CPageFiles"),
    .target(name: "CZlib", linkerSettings: [.linkedLibrary("z")]),
    .target(
      name: "FluxPage",
      dependencies: [
        "CPageFiles", "CZlib", "FluxCommands", "FluxInspector", "FluxJSON", "FluxLog",
        "FluxReplay", "FluxSystem",
      ],
      exclude: ["Page"]),
    .target(
      name: "FluxEditor",
      dependencies: [
        "FluxCommands", "FluxInspector", "FluxJSON", "FluxLog", "FluxReplay", "FluxSystem",
      ]),
    .target(
      name: "FluxAgent",
      dependencies: [
        "FluxExchange", "FluxInspector", "FluxJSON", "FluxLog", "FluxReplay", "FluxRules",
        "FluxSystem",
      ]),
    .target(name: "CTerminal", dependencies: ["CPlatform"]),
    .target(name: "FluxTerminal", dependencies: ["CTerminal", "FluxSystem"]),
    .target(
      name: "CLibEdit",
      linkerSettings: [.linkedLibrary("edit", .when(platforms: [.macOS, .linux]))]),
    .target(
      name: "LineEditor", dependencies: ["CLibEdit", "CTerminal", "FluxSystem", "FluxTerminal"]),
    .target(
      name: "FluxScreen",
      dependencies: ["FluxCommands", "FluxInspector", "FluxJSON", "FluxLog", "FluxTerminal"]),
    .target(
      name: "FluxSubcommands",
      dependencies: [
        "CZlib", "FluxCommands", "FluxCorpus", "FluxExchange", "FluxHost", "FluxInspector",
        "FluxJSON", "FluxLog", "FluxPage", "FluxReplay", "FluxRules", "FluxSystem", "FluxTerminal",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ]),
    .executableTarget(
      name: "flux-verify",
      dependencies: [
        "FluxSubcommands", .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ]),
    .executableTarget(
      name: "flux-inspect",
      dependencies: [
        "FluxAgent", "FluxCommands", "FluxCorpus", "FluxEditor", "FluxExchange", "FluxHost",
        "FluxInspector", "FluxLog", "FluxPage", "FluxReplay", "FluxScreen", "FluxSubcommands",
        "FluxSystem", "FluxTerminal", "LineEditor",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ]),
    .plugin(
      name: "VerifyRecordings",
      capability: .command(
        intent: .custom(
          verb: "verify-recordings",
          description: "Replay the package's recordings in its app, and compare the states"))),
    .target(
      name: "ExampleProgram", dependencies: ["FluxCore", "FluxLog", "FluxRecorder"],
      path: "Examples/Program"),
    .example("Chat"),
    .example("Comments"),
    .example("Counter"),
    .example("Info"),
    .example("Search"),
    .example("Shop"),
    .example("TextEditor"),
    .example("TodoMVC"),
    .target(name: "GroceriesExample", dependencies: ["FluxCore"], path: "Examples/SwiftUI/Stores"),
    .target(
      name: "GroceriesApp",
      dependencies: ["FluxCore", "FluxLog", "FluxRecorder", "GroceriesExample"],
      path: "Examples/SwiftUI/App"),
    .exampleProgram("chat-example", "Chat"),
    .exampleProgram("comments-example", "Comments"),
    .exampleProgram("counter-example", "Counter"),
    .exampleProgram("info-example", "Info"),
    .exampleProgram("search-example", "Search"),
    .exampleProgram("shop-example", "Shop"),
    .exampleProgram("text-editor-example", "TextEditor"),
    .exampleProgram("todomvc-example", "TodoMVC"),
    .executableTarget(
      name: "notes-example", dependencies: ["FluxCore", "FluxLog", "FluxRecorder"],
      path: "Examples/NotesProgram"),
    .executableTarget(
      name: "crash-example", dependencies: ["FluxCore", "FluxLog", "FluxRecorder"],
      path: "Examples/CrashProgram"),
    .executableTarget(
      name: "shop-inspector",
      dependencies: [
        "FluxCommands", "FluxInspector", "FluxJSON", "FluxLog", "FluxRecorder", "ShopExample",
      ],
      path: "Examples/ShopInspector"),
    .testTarget(name: "ArchitectureTests"),
    .testTarget(
      name: "ExamplesTests",
      dependencies: [
        "ChatExample", "CommentsExample", "CounterExample", "GroceriesExample", "InfoExample",
        "SearchExample", "ShopExample",
        "TextEditorExample", "TodoMVCExample", "FluxCommands", "FluxCore", "FluxInspector",
        "FluxJSON", "FluxLog",
        "FluxRecorder", "FluxRecordings", "FluxReplay", "FluxTesting", "TestFixtures",
      ]),
    .testTarget(
      name: "FluxCoreTests", dependencies: ["FluxCore", "FluxJSON", "FluxLog", "TestFixtures"]),
    .testTarget(
      name: "FluxRecorderTests",
      dependencies: [
        "CXNU", "FluxRecorder", "FluxCore", "FluxHost", "FluxJSON", "FluxLog", "FluxReplay",
        "FaultSubject", "FluxSystem", "crash-example", "TestFixtures",
        .product(name: "Logging", package: "swift-log"),
      ]),
    .target(
      name: "TestFixtures", dependencies: ["FluxJSON", "FluxSystem"],
      path: "Tests/TestFixtures"),
    .target(name: "CPTY", path: "Tests/CPTY"),
    .target(name: "CXNU", dependencies: ["CPlatform"], path: "Tests/CXNU"),
    .target(name: "TerminalTesting", dependencies: ["CPTY"], path: "Tests/TerminalTesting"),
    .executableTarget(
      name: "line-editor-program", dependencies: ["FluxTerminal", "LineEditor"],
      path: "Tests/LineEditorProgram"),
    .testTarget(
      name: "LineEditorTests",
      dependencies: [
        "CXNU", "FluxTerminal", "LineEditor", "TerminalTesting", "line-editor-program",
        "TestFixtures",
      ]),
    .testTarget(
      name: "FluxScreenTests",
      dependencies: [
        "FluxCommands", "FluxInspector", "FluxLog", "FluxScreen", "FluxTerminal", "TestFixtures",
      ]),
    .testTarget(
      name: "FluxInspectProgramTests",
      dependencies: [
        "CounterHost", "FluxCommands", "FluxInspector", "FluxSubcommands", "FluxSystem",
        "FluxTesting", "TerminalTesting", "TestFixtures", "buggy-program", "flux-inspect",
        "todomvc-example",
      ]),
    .testTarget(
      name: "DocumentsTests",
      dependencies: [
        "FluxCommands", "FluxCore", "FluxHost", "FluxInspector", "FluxJSON", "FluxLog",
        "FluxRecorder", "FluxReplay", "FluxRules", "FluxTesting", "FluxXCTest", "TerminalTesting",
        "TestFixtures",
        "counter-example", "flux-inspect", "shop-example", "todomvc-example",
      ],
      exclude: ["Contexts", "Pages/Recordings", "wording.txt"]),
    .testTarget(
      name: "FluxSystemTests", dependencies: ["CPlatform", "CXNU", "FluxSystem", "TestFixtures"]),
    .testTarget(
      name: "FluxHostTests",
      dependencies: [
        "FluxHost", "FluxJSON", "FluxLog", "FluxReplay", "FluxSystem", "TestFixtures",
      ]),
    .testTarget(name: "FluxJSONTests", dependencies: ["CTokens", "FluxJSON", "TestFixtures"]),
    .testTarget(
      name: "FluxLogTests",
      dependencies: [
        "CChecksum", "CXNU", "FluxJSON", "FluxLog", "FluxRules", "FluxSystem", "TestFixtures",
      ]),
    .target(
      name: "Counter", dependencies: ["FluxJSON", "FluxLog", "FluxReplay"],
      path: "Tests/HostSubjects/Counter"),
    .executableTarget(
      name: "FaultSubject", dependencies: ["FluxCore", "FluxLog", "FluxRecorder"],
      path: "Tests/FaultSubject"),
    .executableTarget(
      name: "CounterHost", dependencies: ["Counter", "FluxRecorder"],
      path: "Tests/HostSubjects/CounterHost"),
    .target(name: "BuggyApps", dependencies: ["FluxCore"], path: "Tests/HostSubjects/BuggyApps"),
    .executableTarget(
      name: "buggy-program", dependencies: ["BuggyApps", "FluxCore", "FluxRecorder"],
      path: "Tests/HostSubjects/BuggyProgram"),
    .testTarget(
      name: "ReplayHostTests",
      dependencies: [
        "CXNU", "Counter", "CounterHost", "FluxHost", "FluxJSON", "FluxLog", "FluxRecorder",
        "FluxReplay", "FluxSystem", "counter-example", "crash-example", "notes-example",
        "search-example", "shop-example", "todomvc-example", "TestFixtures",
      ],
      exclude: ["counter_host.py"]),
    .testTarget(
      name: "FluxRulesTests",
      dependencies: ["FluxJSON", "FluxLog", "FluxRules", "TestFixtures"]),
    .testTarget(
      name: "FluxReplayTests", dependencies: ["FluxReplay", "FluxJSON", "FluxLog", "TestFixtures"],
      exclude: ["Frozen/sessions.txt"]),
    .testTarget(
      name: "FluxTestingTests",
      dependencies: [
        "FluxTesting", "FluxRecordings", "FluxRecorder", "FluxCore", "FluxJSON", "FluxLog",
        "FluxRules", "TestFixtures",
      ]),
    .testTarget(
      name: "FluxXCTestTests",
      dependencies: [
        "FluxXCTest", "FluxTesting", "FluxRecordings", "FluxRecorder", "FluxCore", "FluxJSON",
        "FluxRules", "TestFixtures",
      ]),
    .testTarget(
      name: "FluxPageTests",
      dependencies: [
        "CZlib", "Counter", "FluxCommands", "FluxInspector", "FluxJSON", "FluxLog", "FluxPage",
        "FluxReplay", "FluxSystem", "TestFixtures",
      ]),
    .testTarget(
      name: "FluxEditorTests",
      dependencies: [
        "Counter", "CounterHost", "FluxEditor", "FluxHost", "FluxInspector", "FluxJSON",
        "FluxLog", "FluxReplay", "FluxSystem", "TestFixtures",
      ]),
    .testTarget(
      name: "FluxAgentTests",
      dependencies: [
        "Counter", "FluxAgent", "FluxInspector", "FluxJSON", "FluxLog", "FluxReplay", "FluxSystem",
        "TestFixtures",
      ]),
    .testTarget(
      name: "FluxInspectorTests",
      dependencies: [
        "Counter", "CounterHost", "FluxCommands", "FluxCorpus", "FluxExchange", "FluxHost",
        "FluxInspector", "FluxJSON", "FluxLog", "FluxReplay", "FluxSystem", "TestFixtures",
      ]),
  ]
)

extension Target {
  /// The library of an example app: its stores and actions.
  static func example(_ name: String) -> Target {
    target(name: "\(name)Example", dependencies: ["FluxCore"], path: "Examples/\(name)")
  }

  /// The program of an example app, which runs, records and replays it.
  static func exampleProgram(_ name: String, _ example: String) -> Target {
    executableTarget(
      name: name,
      dependencies: [
        .target(name: "\(example)Example"), "ExampleProgram", "FluxCore", "FluxJSON", "FluxLog",
        "FluxRecorder",
      ],
      path: "Examples/\(example)Program")
  }
}

for target in package.targets where target.type != .plugin { target.swiftSettings = strict }

// One process compiles a whole module: 13 s of processor time for FluxCoreTests, and 21 in batches.
let whole = ["-disable-batch-mode", "-whole-module-optimization", "-num-threads", "2"]

// With FLUX_WHOLE_TESTS, which the Makefile sets, test modules are compiled whole. The tests get no debug information, which
// would be a tenth more. The package manager adds -g after these flags, so only the frontend can be told. Without the
// variable, a build compiles only the tests that changed.
if Context.environment["FLUX_WHOLE_TESTS"] != nil {
  for target in package.targets where target.type == .test {
    target.swiftSettings?.append(
      .unsafeFlags(whole + ["-no-emit-module-separately-wmo", "-Xfrontend", "-gnone"]))
  }
}

// With FLUX_OPTIMIZED=1, which .ci/run sets, the modules that tests spend two thirds of their time in are optimized: for size,
// which takes the compiler a fifth less time than for speed. All tests then take half the processor time, and also find what
// only optimized code does. Assertions stay. The other modules are compiled whole as well, and none has debug information:
// such a machine builds once.
if Context.environment["FLUX_OPTIMIZED"] == "1" {
  for target in package.targets {
    switch target.name {
    case "FluxJSON", "FluxLog":
      target.swiftSettings?.append(
        .unsafeFlags(whole + ["-Osize", "-assert-config", "Debug", "-Xfrontend", "-gnone"]))
    case "CTokens", "CChecksum":
      target.cSettings = [.unsafeFlags(["-O2"])]
    case _ where target.type == .regular || target.type == .executable:
      target.swiftSettings?.append(.unsafeFlags(whole + ["-Xfrontend", "-gnone"]))
    default:
      break
    }
  }
}

// With FLUX_TESTS=FluxCoreTests,FluxRecorderTests only these tests are in the package, and only the targets that they
// need: `make sanitize` builds nothing a second time that it does not run.
if let names = Context.environment["FLUX_TESTS"]?.split(separator: ",").map(String.init) {
  var needed: Set<String> = []
  var owners: Set<String> = []
  func need(_ name: String) {
    guard let target = package.targets.first(where: { $0.name == name }),
      needed.insert(name).inserted
    else { return }
    for case .byNameItem(let name, _) in target.dependencies { need(name) }
    for case .targetItem(let name, _) in target.dependencies { need(name) }
    for case .productItem(_, let owner?, _, _) in target.dependencies { owners.insert(owner) }
  }
  names.forEach(need)
  package.dependencies.removeAll { dependency in
    guard case .sourceControl(_, let location, _) = dependency.kind else { return false }
    return !owners.contains { location.hasSuffix("/\($0)") }
  }
  package.targets.removeAll { !needed.contains($0.name) }
  package.products.removeAll { product in
    switch product {
    case let library as Product.Library: !needed.isSuperset(of: library.targets)
    case let executable as Product.Executable: !needed.isSuperset(of: executable.targets)
    default: true
    }
  }
}
