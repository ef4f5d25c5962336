// swift-tools-version: 6.2
import PackageDescription

/// Where the traits are on: each by its name, or all by one.
let withPCRE2 = BuildSettingCondition.when(traits: ["PCRE2", "Texts", "AllButStems", "All"])
let withStems = BuildSettingCondition.when(traits: ["Stems", "Texts", "All"])
let withPictures = BuildSettingCondition.when(traits: ["Pictures", "AllButStems", "All"])
let inTerminals = BuildSettingCondition.when(traits: ["TerminalPictures", "AllButStems", "All"])

let strict: [SwiftSetting] = [
  .treatAllWarnings(as: .error),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("ExistentialAny"),
  .define("PCRE2", withPCRE2), .define("Pictures", withPictures), .define("TerminalPictures", inTerminals),
]

let package = Package(
  name: "Scrollback",
  // Built and tested on Linux alone. The libraries need nothing of macOS and iOS but what both have; untried.
  platforms: [.macOS(.v15), .iOS(.v18)],
  products: [
    .executable(name: "scrollback", targets: ["scrollback"]),
    .executable(name: "scrollback-serve", targets: ["scrollback-serve"]),
    .library(name: "ScrollbackKit", targets: ["ScrollbackKit"]),
    .library(name: "MessageModel", targets: ["MessageModel"]),
    .library(name: "WordForms", targets: ["WordForms"]),
    .library(name: "MessageStorage", targets: ["MessageStorage"]),
    .library(name: "MessageWindows", targets: ["MessageWindows"]),
    .library(name: "MessageInterchange", targets: ["MessageInterchange"]),
    .library(name: "TypedQueries", targets: ["TypedQueries"]),
    .library(name: "HistoryQueries", targets: ["HistoryQueries"]),
    .library(name: "HistoryTransfer", targets: ["HistoryTransfer"]),
    .library(name: "MessagePictures", targets: ["MessagePictures"]),
    .library(name: "MessagePostgres", targets: ["MessagePostgres"]),
    .library(name: "MessageSourceTesting", targets: ["MessageSourceTesting"]),
    // For the package of tools in Tests/Benchmarks alone: nothing in it is public.
    .library(
      name: "ScrollbackParts",
      targets: [
        "TerminalText", "ChatSession", "ShellCommands", "TestSupport", "CChecksum", "CMalloc", "CSQLiteShim",
      ]),
  ],
  // Without any of them the libraries need SQLite alone.
  traits: [
    .trait(name: "PCRE2", description: "Regular expressions by PCRE2, many times faster than Foundation's."),
    .trait(name: "Pictures", description: "Thumbnails and previews of pictures."),
    .trait(
      name: "TerminalPictures", description: "Pictures drawn in a terminal, by libchafa.",
      enabledTraits: ["Pictures"]),
    .trait(
      name: "Stems", description: "Stems of nine languages by Snowball's libstemmer; else of English alone."),
    // SwiftPM tells the compiler of traits in an order of chance, and another order compiles everything anew.
    .trait(name: "Texts", description: "PCRE2 and Stems by one name."),
    .trait(name: "AllButStems", description: "PCRE2 and pictures by one name."),
    .trait(name: "All", description: "All of these by one name: with it alone, what was built stays built."),
  ],
  dependencies: [
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
    .package(url: "https://github.com/apple/swift-nio", from: "2.90.0"),
  ],
  targets: [
    // Values that all others share.
    .target(name: "MessageModel", swiftSettings: strict),

    // What is marked in texts, without I/O: bold, code, quotes, links, by the manner of each platform.
    .target(
      name: "MessageMarkup", exclude: ["generate-emoji.py"], resources: [.embedInCode("emoji.txt")],
      swiftSettings: strict),

    // Words without I/O: their stems, those that mean nothing.
    .target(
      name: "WordForms",
      dependencies: [
        .target(name: "CStemmer", condition: .when(traits: ["Stems", "Texts", "All"]))
      ],
      swiftSettings: strict + [.define("Stems", withStems)]),

    // Texts without what is not for everybody: secrets, names.
    .target(
      name: "Redaction", dependencies: ["MessageModel"],
      resources: [.embedInCode("Secrets/secret-rules.txt")],
      swiftSettings: strict),

    // Three strangers over the model.
    .target(
      name: "MessageStorage",
      dependencies: [
        "MessageModel", "WordForms", "CFiles", "CSQLiteShim", "CSHA256", "CChecksum",
        .target(
          name: "CPCRE2",
          condition: .when(traits: ["PCRE2", "Texts", "AllButStems", "All"])),
        .product(name: "GRDB", package: "GRDB.swift"),
        .product(name: "GRDBSQLite", package: "GRDB.swift"),
      ],
      swiftSettings: strict),
    .target(name: "MessageWindows", dependencies: ["MessageModel"], swiftSettings: strict),
    .target(
      name: "MessageInterchange",
      dependencies: ["MessageModel", "MessageMarkup", "CArchive", "CSQLiteShim", "CSHA256"],
      exclude: ["WhatsApp/generate-half-days.swift"],
      resources: [.embedInCode("WhatsApp/half-days.txt")], swiftSettings: strict),
    .target(
      name: "MessagePictures",
      dependencies: [
        "MessageModel",
        .target(
          name: "CPictures", condition: .when(traits: ["Pictures", "AllButStems", "All"])),
      ],
      swiftSettings: strict),

    // Archives on a server.
    .target(
      name: "MessagePostgres", dependencies: ["MessageModel", "CPostgresClient"],
      resources: [.embedInCode("archive.sql")], swiftSettings: strict),

    // Questions about a store, and their answers.
    .target(
      name: "HistoryQueries", dependencies: ["MessageModel", "MessageMarkup", "MessageStorage", "WordForms"],
      swiftSettings: strict),

    // Queries as people type them, for apps.
    .target(
      name: "TypedQueries", dependencies: ["MessageModel", "MessageStorage", "HistoryQueries"],
      swiftSettings: strict),

    // Histories on their way into a store.
    .target(
      name: "HistoryTransfer",
      dependencies: [
        "MessageModel", "MessageMarkup", "MessageStorage", "MessageInterchange", "HistoryQueries",
        "Redaction", "CFiles",
      ],
      swiftSettings: strict),

    // Stores on their way to an archive on a server.
    .target(
      name: "HistoryPublishing", dependencies: ["MessageModel", "MessageStorage", "MessagePostgres"],
      swiftSettings: strict),

    // All of these for an app, by one import.
    .target(
      name: "ScrollbackKit",
      dependencies: [
        "MessageModel", "WordForms", "MessageStorage", "MessageWindows", "MessageInterchange",
        "MessagePictures", "TypedQueries", "HistoryTransfer",
      ],
      swiftSettings: strict),

    // What agents touch.
    .target(
      name: "AgentProtocol",
      dependencies: ["MessageModel", "MessageStorage", "HistoryQueries", "Redaction", "WordForms"],
      swiftSettings: strict),

    // What a browser shows.
    .target(
      name: "HistoryPage", dependencies: ["CChecksum"],
      resources: [
        "page.html", "page.css", "page.js", "site.js", "icon.svg", "more.css", "more.js", "filters.js",
        "palette.js",
        "search.js", "threads.js", "viewer.js", "paper.js", "sitequery.js", "siteanswers.js",
      ]
      .map { .embedInCode($0) },
      swiftSettings: strict),

    // What browsers touch: a program of its own, so that the command stays small where nobody wants it.
    .target(
      name: "HistoryServer",
      dependencies: [
        "MessageModel", "MessageStorage", "MessagePictures", "HistoryQueries", "HistoryPage",
        "HistoryPublishing", "Redaction",
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOPosix", package: "swift-nio"),
        .product(name: "NIOHTTP1", package: "swift-nio"),
      ],
      swiftSettings: strict),
    .executableTarget(
      name: "scrollback-serve",
      dependencies: [
        "HistoryPublishing", "HistoryServer", "HistoryTransfer", "MessageModel", "MessagePictures",
        "MessageStorage",
        "Redaction", "CMalloc",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      swiftSettings: strict),

    // What people touch.
    .target(
      name: "TerminalText", dependencies: ["MessageModel", "MessageMarkup"],
      exclude: ["Text/generate-width-table.py"],
      swiftSettings: strict),
    .target(
      name: "ChatSession",
      dependencies: [
        "MessageModel", "MessageMarkup", "MessageStorage", "MessageWindows", "MessageInterchange",
        "MessagePictures", "HistoryQueries", "HistoryTransfer", "TerminalText", "Redaction", "WordForms",
        "CFiles",
      ],
      swiftSettings: strict),
    .target(
      name: "ShellCommands",
      dependencies: [
        "MessageModel", "MessageStorage", "MessageInterchange", "MessagePictures", "HistoryQueries",
        "HistoryTransfer", "HistoryPage", "TerminalText", "ChatSession", "AgentProtocol", "Redaction",
        "WordForms", "MessagePostgres", "HistoryPublishing",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      swiftSettings: strict),
    .executableTarget(
      name: "scrollback",
      dependencies: [
        "MessageModel", "MessageStorage", "MessagePictures", "HistoryTransfer", "TerminalText",
        "ChatSession", "ShellCommands", "CMalloc", "CReadline", "CBuildNote",
      ],
      swiftSettings: strict),

    // C: module maps and shims.
    .target(name: "CMalloc"),
    .target(name: "CBuildNote"),
    .target(name: "CFiles"),
    .target(name: "CReadline", linkerSettings: [.linkedLibrary("readline")]),
    .target(name: "CSQLiteShim", linkerSettings: [.linkedLibrary("sqlite3")]),
    .target(name: "CSHA256"),
    .target(name: "CChecksum"),
    .target(name: "CArchive", linkerSettings: [.linkedLibrary("dl", .when(platforms: [.linux]))]),
    .systemLibrary(
      name: "CPCRE2", pkgConfig: "libpcre2-8",
      providers: [.apt(["libpcre2-dev"]), .yum(["pcre2-devel"]), .brew(["pcre2"])]),
    .systemLibrary(
      name: "CStemmer",
      providers: [.apt(["libstemmer-dev"]), .yum(["libstemmer-devel"]), .brew(["snowball"])]),
    .target(
      name: "CPictures",
      dependencies: [
        .target(
          name: "CChafa",
          condition: .when(traits: ["TerminalPictures", "AllButStems", "All"]))
      ],
      cSettings: [
        .define("SCROLLBACK_PICTURES", withPictures), .define("SCROLLBACK_TERMINAL_PICTURES", inTerminals),
      ],
      linkerSettings: ["jpeg", "png", "webp", "gif"].map { .linkedLibrary($0, withPictures) }),
    .systemLibrary(
      name: "CChafa", pkgConfig: "chafa",
      providers: [
        .apt(["libchafa-dev", "libglib2.0-dev"]), .yum(["chafa-devel", "glib2-devel"]),
        .brew(["chafa", "glib"]),
      ]),
    .target(name: "CPostgresClient", linkerSettings: [.linkedLibrary("dl", .when(platforms: [.linux]))]),

    // Checking and measuring.
    .target(name: "MessageSourceTesting", dependencies: ["MessageModel"], swiftSettings: strict),
    .target(
      name: "TestSupport", dependencies: ["MessageModel", "MessageStorage", "MessageSourceTesting"],
      swiftSettings: strict),
    // A server for tests, and archives on it.
    .target(
      name: "ArchiveTesting",
      dependencies: [
        "HistoryPublishing", "MessageModel", "MessagePostgres", "MessageSourceTesting", "MessageStorage",
        "TestSupport",
      ],
      swiftSettings: strict),
    .target(
      name: "ShellTesting",
      dependencies: [
        "ShellCommands", "ChatSession", "TestSupport",
        .product(name: "GRDB", package: "GRDB.swift"),
      ],
      swiftSettings: strict),
    // What tests kill at one of its steps, and let write beside them.
    .executableTarget(
      name: "store-worker",
      dependencies: [
        "MessageModel", "MessageStorage", "TestSupport",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      path: "Tests/StoreWorker", swiftSettings: strict),
    // An example whose client is killed, too: a test looks what becomes of it.
    .executableTarget(
      name: "SlowNetwork", dependencies: ["ScrollbackKit", "MessageSourceTesting"],
      path: "Examples/SlowNetwork/Sources/SlowNetwork", packageAccess: false, swiftSettings: strict),

    // As an app is: of another package, for all that the compiler knows.
    .testTarget(
      name: "ScrollbackKitTests", dependencies: ["ScrollbackKit"], packageAccess: false,
      swiftSettings: strict),
    .testTarget(
      name: "RedactionTests", dependencies: ["Redaction", "MessageSourceTesting"], swiftSettings: strict),
    .testTarget(name: "MessageMarkupTests", dependencies: ["MessageMarkup"], swiftSettings: strict),
    .testTarget(name: "WordFormsTests", dependencies: ["WordForms"], swiftSettings: strict),
    .testTarget(name: "MessageModelTests", dependencies: ["MessageModel"], swiftSettings: strict),
    .testTarget(
      name: "MessageStorageTests",
      dependencies: [
        "MessageStorage", "MessageSourceTesting", "TestSupport",
        .product(name: "GRDB", package: "GRDB.swift"),
        .product(name: "GRDBSQLite", package: "GRDB.swift"),
      ],
      swiftSettings: strict),
    .testTarget(
      name: "DocumentationTests",
      dependencies: [
        "ScrollbackKit", "HistoryQueries", "MessageSourceTesting", "TestSupport",
        .product(name: "GRDB", package: "GRDB.swift"),
      ], swiftSettings: strict),
    .testTarget(
      name: "MessageWindowsTests",
      dependencies: [
        "ArchiveTesting", "MessageWindows", "MessageSourceTesting", "MessageStorage", "TestSupport",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "HistoryQueriesTests",
      dependencies: [
        "HistoryQueries", "MessageInterchange", "MessageSourceTesting", "ShellTesting", "TestSupport",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "HistoryTransferTests",
      dependencies: [
        "HistoryTransfer", "HistoryPage", "MessageInterchange", "MessageModel", "MessageSourceTesting",
        "MessageStorage", "ShellTesting", "TestSupport", .product(name: "GRDB", package: "GRDB.swift"),
      ],
      swiftSettings: strict),
    .testTarget(name: "HistoryPageTests", dependencies: ["HistoryPage"], swiftSettings: strict),
    .testTarget(
      name: "HistoryServerTests",
      dependencies: [
        "HistoryServer", "HistoryQueries", "MessageModel", "MessagePictures", "MessageStorage", "Redaction",
        "ShellTesting",
        "TestSupport", .product(name: "GRDB", package: "GRDB.swift"),
      ],
      swiftSettings: strict),
    .testTarget(
      name: "PageTests",
      dependencies: [
        "MessageModel", "MessagePictures", "MessageSourceTesting", "MessageStorage", "ShellTesting",
        "TestSupport",
        "scrollback-serve",
        .product(name: "GRDB", package: "GRDB.swift"),
      ],
      swiftSettings: strict),
    .testTarget(
      name: "MessageInterchangeTests",
      dependencies: ["MessageInterchange", "MessageSourceTesting", "TestSupport", "CSQLiteShim"],
      swiftSettings: strict),
    .testTarget(
      name: "MessagePicturesTests",
      dependencies: [
        "MessagePictures", "MessageSourceTesting", "TestSupport",
        .target(
          name: "CPictures", condition: .when(traits: ["Pictures", "AllButStems", "All"])),
      ], swiftSettings: strict),
    .testTarget(
      name: "MessagePostgresTests",
      dependencies: [
        "ArchiveTesting", "MessagePostgres", "HistoryPublishing", "HistoryQueries", "HistoryServer",
        "MessageModel", "MessageStorage", "MessageSourceTesting", "ShellTesting", "TestSupport",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "TerminalTextTests", dependencies: ["TerminalText", "TestSupport"], swiftSettings: strict),
    .testTarget(
      name: "ChatSessionTests",
      dependencies: [
        "ChatSession", "HistoryQueries", "TerminalText", "MessagePictures", "MessageSourceTesting",
        "TestSupport",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "ShellCommandsTests",
      dependencies: [
        "ShellCommands", "HistoryTransfer", "ChatSession", "ShellTesting", "MessageModel",
        "MessageStorage", "MessageInterchange", "TestSupport", .product(name: "GRDB", package: "GRDB.swift"),
      ],
      swiftSettings: strict),
    .testTarget(
      name: "ScrollbackTests",
      dependencies: [
        "ScrollbackKit", "MessageSourceTesting", "TestSupport", "ShellTesting", "scrollback",
        "scrollback-serve", "store-worker", "SlowNetwork",
        .product(name: "GRDB", package: "GRDB.swift"),
      ],
      swiftSettings: strict),
  ],
  swiftLanguageModes: [.v6]
)

// The examples that need no other package, built with the libraries that are there already: as packages of their own they
// would build them a second time (`make examples` does). They see what is public alone, as any app.
if Context.environment["SCROLLBACK_EXAMPLES"] != nil {
  package.targets += ["Bot", "Diary", "TerminalViewer"].map { name in
    .executableTarget(
      name: name, dependencies: ["ScrollbackKit"], path: "Examples/\(name)/Sources/\(name)",
      packageAccess: false)
  }
}

// While one works on a part: `SCROLLBACK_TESTS=MessageStorageTests,ChatSessionTests` builds the tests of these
// targets alone.
if let wanted = Context.environment["SCROLLBACK_TESTS"]?.split(separator: ",").map(String.init) {
  package.targets.removeAll { $0.type == .test && !wanted.contains($0.name) }
  if !wanted.contains("ScrollbackTests") {
    package.targets.removeAll { ["store-worker", "SlowNetwork"].contains($0.name) }
  }
}
