// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "ChatViews",
  platforms: [.macOS(.v15), .iOS(.v18)],
  products: [.library(name: "ChatViews", targets: ["ChatViews"])],
  dependencies: [.package(name: "Scrollback", path: "../..")],
  targets: [
    .target(name: "ChatViews", dependencies: [.product(name: "ScrollbackKit", package: "Scrollback")])
  ]
)
