// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "PageServer",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(name: "Scrollback", path: "../.."),
    .package(url: "https://github.com/swhitty/FlyingFox", from: "0.27.1"),
  ],
  targets: [
    .executableTarget(
      name: "PageServer",
      dependencies: [
        .product(name: "ScrollbackKit", package: "Scrollback"),
        .product(name: "HistoryQueries", package: "Scrollback"),
        .product(name: "FlyingFox", package: "FlyingFox"),
      ],
      resources: [.copy("view.html")])
  ]
)
