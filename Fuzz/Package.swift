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
    .target(name: "FuzzInput", swiftSettings: strict),
    .fuzzed("FuzzJSON"),
    .fuzzed("FuzzDifference"),
    .fuzzed("FuzzReader"),
    .fuzzed("FuzzTimeline"),
    .fuzzed("FuzzInFlight"),
  ]
)

extension Target {
  /// A program that the fuzzer calls with one input after the other.
  static func fuzzed(_ name: String) -> Target {
    .executableTarget(
      name: name,
      dependencies: [
        "FuzzInput", .product(name: "FluxJSON", package: "flux-inspect"),
        .product(name: "FluxLog", package: "flux-inspect"),
      ],
      swiftSettings: strict)
  }
}
