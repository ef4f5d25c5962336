// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "SlowNetwork",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "Scrollback", path: "../..")],
  targets: [
    .executableTarget(
      name: "SlowNetwork",
      dependencies: [
        .product(name: "ScrollbackKit", package: "Scrollback"),
        .product(name: "MessageSourceTesting", package: "Scrollback"),
      ])
  ]
)
