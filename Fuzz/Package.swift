// swift-tools-version: 6.2
import PackageDescription

/// The settings of the package that is fuzzed.
let strict: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .strictMemorySafety(),
  .treatAllWarnings(as: .error),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

/// Feeds invented input to what reads input from outside.
///
/// A package of its own, as its programs can only be built for the fuzzer, one at a time:
/// `swift build --package-path Fuzz --sanitize=fuzzer -c release --product FuzzDifference`.
let package = Package(
  name: "Fuzz",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "flux-inspect", path: "..")],
  targets: [
    .executableTarget(
      name: "FuzzJSON",
      dependencies: [.product(name: "FluxLog", package: "flux-inspect")],
      swiftSettings: strict),
    .executableTarget(
      name: "FuzzDifference",
      dependencies: [.product(name: "FluxLog", package: "flux-inspect")],
      swiftSettings: strict),
    .executableTarget(
      name: "FuzzReader",
      dependencies: [.product(name: "FluxLog", package: "flux-inspect")],
      swiftSettings: strict),
  ]
)
