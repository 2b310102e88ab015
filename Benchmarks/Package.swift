// swift-tools-version: 6.2
import Foundation
import PackageDescription

/// The settings of the package that is measured.
let strict: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .strictMemorySafety(),
  .treatAllWarnings(as: .error),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

/// A library of the package that is measured.
func flux(_ name: String) -> Target.Dependency { .product(name: name, package: "flux-inspect") }

/// `true` if simdjson can be a rival: Debian's `libsimdjson-dev`, or Homebrew's.
let hasSimdjson = ["/usr/include", "/opt/homebrew/include", "/usr/local/include"].contains {
  FileManager.default.fileExists(atPath: "\($0)/simdjson.h")
}

/// Measures every figure that the documentation claims, beside what a user would pick instead.
///
/// A package of its own, so that nobody who uses the toolkit resolves or builds it or the rivals. See
/// `docs/performance.md`.
let package = Package(
  name: "Benchmarks",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(name: "flux-inspect", path: ".."),
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
    .package(url: "https://github.com/pointfreeco/swift-custom-dump", from: "1.6.0"),
  ],
  targets: [
    .target(name: "Harness", swiftSettings: strict),
    .testTarget(name: "HarnessTests", dependencies: ["Harness"], swiftSettings: strict),
    // The example's stores, through a link: an example is no product of the package.
    .target(
      name: "ChatExample", dependencies: [flux("FluxCore")], swiftSettings: strict),
    .target(
      name: "TextEditorExample", dependencies: [flux("FluxCore")], swiftSettings: strict),
    .target(
      name: "Inputs",
      dependencies: [
        "Harness", flux("FluxCommands"), flux("FluxCore"), flux("FluxInspector"), flux("FluxJSON"),
        flux("FluxLog"),
        flux("FluxRecorder"), flux("FluxReplay"),
      ],
      swiftSettings: strict),
    .target(
      name: "CSimdjson", cxxSettings: hasSimdjson ? [.define("HAS_SIMDJSON")] : [],
      linkerSettings: hasSimdjson ? [.linkedLibrary("simdjson")] : []),
    .executableTarget(
      name: "flux-benchmarks",
      dependencies: [
        "CSimdjson", "ChatExample", "Harness", "Inputs", "TextEditorExample", flux("FluxCommands"),
        flux("FluxCore"),
        flux("FluxInspector"), flux("FluxJSON"), flux("FluxLog"), flux("FluxRecorder"),
        flux("FluxReplay"), flux("FluxRules"),
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "CustomDump", package: "swift-custom-dump"),
      ],
      resources: [.embedInCode("Rivals/rivals.py")], swiftSettings: strict),
    .executableTarget(
      name: "hot-paths",
      dependencies: [
        "Harness", "Inputs", flux("FluxCore"), flux("FluxJSON"), flux("FluxLog"),
        flux("FluxRecorder"), flux("FluxReplay"), flux("FluxRules"),
      ],
      swiftSettings: strict,
      // What counts its instructions, valgrind, does not read every compiler's debug information.
      linkerSettings: [.unsafeFlags(["-Xlinker", "--strip-debug"], .when(platforms: [.linux]))]),
  ]
)
