// swift-tools-version: 6.2
import PackageDescription

/// The name by which what is `package` in Scrollback is seen, as SwiftPM makes it of the folder of a checkout.
///
/// The tools measure, break and feed what no product shows. They see it as other targets of Scrollback do: another name for
/// the compiler is their only privilege.
let owner = Context.packageDirectory.split(separator: "/").dropLast(2).last.map { folder in
  String(folder.lowercased().map { $0.isLetter || $0.isNumber ? $0 : "_" })
}

let strict: [SwiftSetting] = [
  .treatAllWarnings(as: .error),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("ExistentialAny"),
  .define("Pictures", .when(traits: ["ProgramsWithoutStems", "Programs"])),
  .unsafeFlags(["-package-name", owner ?? "scrollback"]),
]

/// The traits of Scrollback that `.ci/flags` asks for, each on there where it is on here.
let traits = ["Programs", "ProgramsWithoutStems", "ProgramsWithoutPictures", "PlainPrograms"]

let argumentParser = Target.Dependency.product(name: "ArgumentParser", package: "swift-argument-parser")
let grdb = Target.Dependency.product(name: "GRDB", package: "GRDB.swift")

func scrollback(_ products: String...) -> [Target.Dependency] {
  products.map { .product(name: $0, package: "Scrollback") }
}

let package = Package(
  name: "Benchmarks",
  platforms: [.macOS(.v15)],
  traits: Set(traits.map { .trait(name: $0) }),
  dependencies: [
    .package(
      name: "Scrollback", path: "../..",
      traits: Set(traits.map { .trait(name: $0, condition: .when(traits: [$0])) })),
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
  ],
  targets: [
    .target(
      name: "CBaseline", dependencies: scrollback("ScrollbackParts"),
      linkerSettings: [.linkedLibrary("sqlite3")]),
    .executableTarget(
      name: "scrollback-bench",
      dependencies: scrollback(
        "ScrollbackKit", "ScrollbackParts", "MessageSourceTesting", "scrollback")
        + ["CBaseline", argumentParser, grdb],
      packageAccess: false, swiftSettings: strict),
    .executableTarget(
      name: "scrollback-torture",
      dependencies: scrollback("ScrollbackParts", "MessageModel", "MessageSourceTesting", "scrollback")
        + [grdb, argumentParser],
      exclude: ["FaultyDisk"], packageAccess: false, swiftSettings: strict),
    .testTarget(
      name: "ToolTests",
      dependencies: scrollback("ScrollbackKit", "ScrollbackParts", "MessageSourceTesting")
        + ["scrollback-bench", "scrollback-torture"],
      packageAccess: false, swiftSettings: strict),
  ],
  swiftLanguageModes: [.v6]
)

// What takes made-up bytes, under libFuzzer: only with its flags does this build, so `make fuzz` alone asks for it.
if Context.environment["SCROLLBACK_FUZZ"] != nil {
  package.targets.append(
    .executableTarget(
      name: "scrollback-fuzz",
      dependencies: scrollback("ScrollbackKit", "ScrollbackParts") + [grdb],
      packageAccess: false,
      swiftSettings: strict + [.unsafeFlags(["-parse-as-library"])]))
}
