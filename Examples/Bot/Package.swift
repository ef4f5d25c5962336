// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "Bot",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "Scrollback", path: "../..")],
  targets: [
    .executableTarget(
      name: "Bot", dependencies: [.product(name: "ScrollbackKit", package: "Scrollback")])
  ]
)
