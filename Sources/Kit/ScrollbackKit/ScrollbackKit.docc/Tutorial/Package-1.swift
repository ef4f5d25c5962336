// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "Messenger",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "Scrollback", path: "../scrollback")],
  targets: [
    .executableTarget(
      name: "Messenger", dependencies: [.product(name: "ScrollbackKit", package: "Scrollback")])
  ]
)
