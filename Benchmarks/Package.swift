// swift-tools-version: 6.2
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

/// Measures every figure that the documentation claims.
///
/// A package of its own, so that nobody who uses the
/// toolkit resolves or builds it. Run one with `swift run -c release --package-path Benchmarks NAME`.
let package = Package(
  name: "Benchmarks",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "flux-inspect", path: "..")],
  targets: [
    .target(name: "Harness", swiftSettings: strict),
    .executableTarget(
      name: "CoreBenchmarks",
      dependencies: ["Harness", .product(name: "FluxCore", package: "flux-inspect")],
      swiftSettings: strict),
    .executableTarget(
      name: "JSONBenchmarks",
      dependencies: ["Harness", .product(name: "FluxLog", package: "flux-inspect")],
      swiftSettings: strict),
    .executableTarget(
      name: "ChangeBenchmarks",
      dependencies: ["Harness", .product(name: "FluxLog", package: "flux-inspect")],
      swiftSettings: strict),
    .executableTarget(
      name: "TimelineBenchmarks",
      dependencies: ["Harness", .product(name: "FluxLog", package: "flux-inspect")],
      swiftSettings: strict),
    .executableTarget(
      name: "InspectorBenchmarks",
      dependencies: [
        "Harness", .product(name: "FluxInspector", package: "flux-inspect"),
        .product(name: "FluxLog", package: "flux-inspect"),
      ],
      swiftSettings: strict),
    .executableTarget(
      name: "LogBenchmarks",
      dependencies: ["Harness", .product(name: "FluxLog", package: "flux-inspect")],
      swiftSettings: strict),
    .executableTarget(
      name: "RecorderBenchmarks",
      dependencies: [
        "Harness", .product(name: "FluxCore", package: "flux-inspect"),
        .product(name: "FluxLog", package: "flux-inspect"),
        .product(name: "FluxRecorder", package: "flux-inspect"),
      ],
      swiftSettings: strict),
    .executableTarget(
      name: "ReplayBenchmarks",
      dependencies: [
        "Harness", .product(name: "FluxCore", package: "flux-inspect"),
        .product(name: "FluxLog", package: "flux-inspect"),
        .product(name: "FluxRecorder", package: "flux-inspect"),
        .product(name: "FluxReplay", package: "flux-inspect"),
      ],
      swiftSettings: strict),
  ]
)
