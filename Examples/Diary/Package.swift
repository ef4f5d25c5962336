// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "Diary",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "Scrollback", path: "../..")],
  targets: [
    .executableTarget(
      name: "Diary",
      dependencies: ["HistoryTransfer", "ScrollbackKit"].map { .product(name: $0, package: "Scrollback") })
  ]
)
