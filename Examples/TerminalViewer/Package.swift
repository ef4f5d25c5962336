// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "TerminalViewer",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "Scrollback", path: "../..")],
  targets: [
    .executableTarget(
      name: "TerminalViewer", dependencies: [.product(name: "ScrollbackKit", package: "Scrollback")])
  ]
)
