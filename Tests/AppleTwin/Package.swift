// swift-tools-version: 6.2
import PackageDescription

// Compiles on Linux, and not for Apple's platforms: `Scripts/apple-check --self-test` has to find each marked line.
let package = Package(
  name: "AppleTwin",
  platforms: [.macOS(.v15), .iOS(.v18)],
  targets: [
    .target(name: "CTwin"),
    .target(name: "Twin", dependencies: ["CTwin"], swiftSettings: [.treatAllWarnings(as: .error)]),
  ]
)
