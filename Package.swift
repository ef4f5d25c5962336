// swift-tools-version: 6.2
import PackageDescription

/// The names by which the programs are built, each with one set of libraries, as SwiftPM tells the compiler of several traits in
/// an order of chance, and another order compiles everything anew.
let programs: Set = ["Programs", "ProgramsWithoutStems", "ProgramsWithoutPictures", "PlainPrograms"]

/// The traits with which each of the libraries is there.
let pcre2 = programs.union(["PCRE2", "Texts", "All"])
let stems: Set = ["Stems", "Texts", "All", "Programs", "ProgramsWithoutPictures"]
let pictures: Set = ["Pictures", "All", "Programs", "ProgramsWithoutStems"]
let terminalPictures: Set = ["TerminalPictures", "All", "Programs", "ProgramsWithoutStems"]

let strict: [SwiftSetting] = [
  .treatAllWarnings(as: .error),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("ExistentialAny"),
  .define("PCRE2", .when(traits: pcre2)), .define("Pictures", .when(traits: pictures)),
  .define("TerminalPictures", .when(traits: terminalPictures)),
]

let argumentParser = Target.Dependency.product(
  name: "ArgumentParser", package: "swift-argument-parser", condition: .when(traits: programs))
let nio = ["NIOCore", "NIOPosix", "NIOHTTP1"].map {
  Target.Dependency.product(name: $0, package: "swift-nio", condition: .when(traits: programs))
}

/// The folders of Sources, each a layer, and the targets in it.
let layers = [
  "Store": ["MessageModel", "HistoryModel", "MessageStorage"],
  "Window": ["MessageWindows", "RowGeometry"],
  "Terminal": ["TerminalText", "ChatSession", "scrollback"],
  "Formats": ["MessageInterchange"],
  "Text": ["MessageMarkup", "WordForms", "Redaction"],
  "Answers": ["HistoryQueries", "AgentProtocol", "HistoryServer", "HistoryPage"],
  "Transfer": ["HistoryTransfer", "MessagePictures"],
  "Transfer/Archive": ["MessagePostgres", "HistoryPublishing"],
  "Commands": ["ShellCommands"],
  "Kit": ["ScrollbackKit", "TypedQueries", "MessagePeople", "MessageSourceTesting"],
  "C": [
    "CArchive", "CBuildNote", "CChecksum", "CEmbeddedFiles", "CFiles", "CMalloc", "CPCRE2",
    "CPictures", "CPostgresClient", "CReadline", "CSHA256", "CSQLiteShim", "CStemmer",
  ],
]

let package = Package(
  name: "Scrollback",
  // Built and tested on Linux alone. The libraries need nothing of macOS and iOS but what both have; untried.
  platforms: [.macOS(.v15), .iOS(.v18)],
  products: [
    .executable(name: "scrollback", targets: ["scrollback"]),
    .library(name: "ScrollbackKit", targets: ["ScrollbackKit"]),
    .library(name: "MessageModel", targets: ["MessageModel"]),
    .library(name: "HistoryModel", targets: ["HistoryModel"]),
    .library(name: "WordForms", targets: ["WordForms"]),
    .library(name: "MessageStorage", targets: ["MessageStorage"]),
    .library(name: "MessageWindows", targets: ["MessageWindows"]),
    .library(name: "RowGeometry", targets: ["RowGeometry"]),
    .library(name: "MessageInterchange", targets: ["MessageInterchange"]),
    .library(name: "TypedQueries", targets: ["TypedQueries"]),
    .library(name: "HistoryQueries", targets: ["HistoryQueries"]),
    .library(name: "MessagePeople", targets: ["MessagePeople"]),
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
    .trait(name: "Texts", description: "PCRE2 and Stems by one name."),
    .trait(name: "All", description: "All of these by one name: with it alone, what was built stays built."),
    // With these alone the packages that the programs need are fetched, and the programs built.
    .trait(name: "Programs", description: "The programs, with all libraries."),
    .trait(name: "ProgramsWithoutStems", description: "The programs, with PCRE2 and pictures."),
    .trait(name: "ProgramsWithoutPictures", description: "The programs, with PCRE2 and stems."),
    .trait(name: "PlainPrograms", description: "The programs, with PCRE2."),
  ],
  dependencies: [
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
    .package(url: "https://github.com/apple/swift-nio", from: "2.90.0"),
  ],
  targets: [
    // Values that all others share.
    .target(name: "MessageModel", swiftSettings: strict),
    // Values of imports, people and statistics, which a view of messages does not need.
    .target(name: "HistoryModel", dependencies: ["MessageModel"], swiftSettings: strict),

    // What is marked in texts, without I/O: bold, code, quotes, links, by the manner of each platform.
    .target(
      name: "MessageMarkup", dependencies: ["CEmbeddedFiles"], exclude: ["emoji.txt", "generate-emoji.py"],
      swiftSettings: strict),

    // Words without I/O: their stems, those that mean nothing.
    .target(
      name: "WordForms",
      dependencies: [
        .target(name: "CStemmer", condition: .when(traits: stems))
      ],
      swiftSettings: strict + [.define("Stems", .when(traits: stems))]),

    // Texts without what is not for everybody: secrets, names.
    .target(
      name: "Redaction", dependencies: ["MessageModel", "CEmbeddedFiles"],
      exclude: ["Secrets/secret-rules.txt"],
      swiftSettings: strict),

    // Three strangers over the model.
    .target(
      name: "MessageStorage",
      dependencies: [
        "MessageModel", "HistoryModel", "WordForms", "CEmbeddedFiles", "CFiles", "CSQLiteShim", "CSHA256",
        "CChecksum",
        .target(name: "CPCRE2", condition: .when(traits: pcre2)),
        .product(name: "GRDB", package: "GRDB.swift"),
        .product(name: "GRDBSQLite", package: "GRDB.swift"),
      ],
      exclude: ["Schema/Schema.sql"], swiftSettings: strict),
    .target(name: "MessageWindows", dependencies: ["MessageModel"], swiftSettings: strict),
    // The heights of rows, for apps that draw a list themselves.
    .target(name: "RowGeometry", dependencies: ["MessageModel", "MessageWindows"], swiftSettings: strict),
    .target(
      name: "MessageInterchange",
      dependencies: [
        "MessageModel", "HistoryModel", "MessageMarkup", "CArchive", "CEmbeddedFiles", "CSQLiteShim",
        "CSHA256",
      ],
      exclude: ["Times/generate-date-words.py", "Times/date-words.txt"], swiftSettings: strict),
    .target(
      name: "MessagePictures",
      dependencies: [
        "MessageModel", "HistoryModel", "MessageStorage",
        .target(name: "CPictures", condition: .when(traits: pictures)),
      ],
      swiftSettings: strict),

    // Archives on a server.
    .target(
      name: "MessagePostgres", dependencies: ["MessageModel", "CEmbeddedFiles", "CPostgresClient"],
      exclude: ["archive.sql"], swiftSettings: strict),

    // Questions about a store, and their answers.
    .target(
      name: "HistoryQueries",
      dependencies: [
        "MessageModel", "HistoryModel", "MessageMarkup", "MessageStorage", "WordForms", "Redaction",
      ],
      swiftSettings: strict),

    // Queries as people type them, for apps.
    .target(
      name: "TypedQueries", dependencies: ["MessageModel", "MessageStorage", "HistoryQueries"],
      swiftSettings: strict),

    // Histories on their way into a store.
    .target(
      name: "HistoryTransfer",
      dependencies: [
        "MessageModel", "HistoryModel", "MessageMarkup", "MessageStorage", "MessageInterchange",
        "HistoryQueries", "Redaction", "CFiles",
      ],
      swiftSettings: strict),

    // Stores on their way to an archive on a server.
    .target(
      name: "HistoryPublishing", dependencies: ["MessageModel", "MessageStorage", "MessagePostgres"],
      swiftSettings: strict),

    // People: whose accounts belong together.
    .target(
      name: "MessagePeople",
      dependencies: ["MessageModel", "HistoryModel", "MessageStorage", "MessageInterchange"],
      swiftSettings: strict),

    // What a view of messages needs, by one import. The others are there for its articles.
    .target(
      name: "ScrollbackKit",
      dependencies: ["MessageModel", "MessageStorage", "MessageWindows", "TypedQueries"],
      swiftSettings: strict),

    // What agents touch.
    .target(
      name: "AgentProtocol",
      dependencies: [
        "MessageModel", "HistoryModel", "MessageStorage", "HistoryQueries", "Redaction", "WordForms",
      ],
      swiftSettings: strict),

    // What a browser shows.
    .target(
      name: "HistoryPage", dependencies: ["CChecksum", "CEmbeddedFiles"],
      exclude: ["First", "Later", "Site"],
      swiftSettings: strict),

    // What browsers touch.
    .target(
      name: "HistoryServer",
      dependencies: [
        "MessageModel", "HistoryModel", "MessageStorage", "MessageInterchange", "MessagePictures",
        "HistoryQueries", "HistoryPage", "HistoryPublishing", "Redaction",
      ] + nio,
      swiftSettings: strict),

    // What people touch.
    .target(
      name: "TerminalText", dependencies: ["MessageModel", "HistoryModel", "MessageMarkup"],
      exclude: ["Text/generate-width-table.py"],
      swiftSettings: strict),
    .target(
      name: "ChatSession",
      dependencies: [
        "MessageModel", "HistoryModel", "MessageMarkup", "MessageStorage", "MessageWindows",
        "MessageInterchange", "MessagePictures", "HistoryQueries", "HistoryTransfer", "TerminalText",
        "Redaction", "WordForms", "CFiles",
      ],
      swiftSettings: strict),
    .target(
      name: "ShellCommands",
      dependencies: [
        "MessageModel", "HistoryModel", "MessageStorage", "MessageInterchange", "MessagePictures",
        "HistoryQueries", "HistoryTransfer", "MessagePeople", "HistoryPage", "TerminalText", "ChatSession",
        "AgentProtocol", "Redaction",
        "WordForms", "MessagePostgres", "HistoryPublishing", "CEmbeddedFiles",
        argumentParser,
      ],
      swiftSettings: strict),
    .executableTarget(
      name: "scrollback",
      dependencies: [
        "MessageModel", "MessageStorage", "MessagePictures", "HistoryPublishing", "HistoryServer",
        "HistoryTransfer", "Redaction", "TerminalText", "ChatSession", "ShellCommands", "CMalloc",
        "CReadline", "CBuildNote", argumentParser,
      ],
      swiftSettings: strict),

    // C: module maps and shims.
    .target(name: "CMalloc"),
    .target(name: "CBuildNote"),
    .target(name: "CFiles"),
    .target(name: "CEmbeddedFiles"),
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
      cSettings: [
        .define("SCROLLBACK_PICTURES", .when(traits: pictures)),
        .define("SCROLLBACK_TERMINAL_PICTURES", .when(traits: terminalPictures)),
      ],
      // On Linux they are loaded with the first picture.
      linkerSettings: [.linkedLibrary("dl", .when(platforms: [.linux]))]
        + ["jpeg", "png", "webp", "gif"].map {
          .linkedLibrary($0, .when(platforms: [.macOS, .iOS], traits: pictures))
        }
        + ["chafa", "glib-2.0"].map {
          .linkedLibrary($0, .when(platforms: [.macOS], traits: terminalPictures))
        }),
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
        argumentParser,
      ],
      path: "Tests/StoreWorker", swiftSettings: strict),
    // An example whose client is killed, too: a test looks what becomes of it.
    .executableTarget(
      name: "SlowNetwork", dependencies: ["ScrollbackKit", "MessageSourceTesting"],
      path: "Examples/SlowNetwork/Sources/SlowNetwork", packageAccess: false, swiftSettings: strict),
    // An example of views, of which the logic is tested here.
    .target(
      name: "ChatViews", dependencies: ["ScrollbackKit"], path: "Examples/ChatViews/Sources/ChatViews",
      packageAccess: false, swiftSettings: strict),

    // As an app is: of another package, for all that the compiler knows.
    .testTarget(
      name: "ChatViewsTests", dependencies: ["ChatViews", "ScrollbackKit", "MessageSourceTesting"],
      packageAccess: false, swiftSettings: strict),
    .testTarget(
      name: "ScrollbackKitTests",
      dependencies: ["ScrollbackKit", "HistoryTransfer", "MessagePeople", "RowGeometry"],
      packageAccess: false,
      swiftSettings: strict),
    .testTarget(
      name: "RedactionTests", dependencies: ["Redaction", "MessageSourceTesting"], swiftSettings: strict),
    .testTarget(name: "MessageMarkupTests", dependencies: ["MessageMarkup"], swiftSettings: strict),
    .testTarget(name: "WordFormsTests", dependencies: ["WordForms"], swiftSettings: strict),
    .testTarget(
      name: "MessageModelTests", dependencies: ["MessageModel", "HistoryModel"], swiftSettings: strict),
    .testTarget(
      name: "MessageStorageTests",
      dependencies: [
        "MessageStorage", "HistoryModel", "MessageSourceTesting", "TestSupport",
        .product(name: "GRDB", package: "GRDB.swift"),
        .product(name: "GRDBSQLite", package: "GRDB.swift"),
      ],
      swiftSettings: strict),
    .testTarget(
      name: "DocumentationTests",
      dependencies: [
        "ScrollbackKit", "HistoryQueries", "HistoryTransfer", "MessagePictures", "RowGeometry",
        "MessageSourceTesting", "TestSupport", .product(name: "GRDB", package: "GRDB.swift"),
      ], swiftSettings: strict),
    .testTarget(
      name: "MessageWindowsTests",
      dependencies: [
        "ArchiveTesting", "MessageWindows", "RowGeometry", "MessageSourceTesting", "MessageStorage",
        "TestSupport",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "HistoryQueriesTests",
      dependencies: [
        "HistoryQueries", "MessageInterchange", "MessageSourceTesting", "ShellCommands", "ShellTesting",
        "TestSupport",
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
        "HistoryServer", "HistoryQueries", "MessageModel", "MessagePictures", "MessageSourceTesting",
        "MessageStorage", "Redaction", "ShellTesting", "TestSupport",
        .product(name: "GRDB", package: "GRDB.swift"),
      ],
      swiftSettings: strict),
    .testTarget(
      name: "PageTests",
      dependencies: [
        "MessageModel", "MessagePictures", "MessageSourceTesting", "MessageStorage", "ShellTesting",
        "TestSupport",
        "scrollback", .product(name: "GRDB", package: "GRDB.swift"),
      ],
      exclude: ["Scripts"], swiftSettings: strict),
    .testTarget(
      name: "MessageInterchangeTests",
      dependencies: ["MessageInterchange", "MessageSourceTesting", "TestSupport", "CSQLiteShim"],
      swiftSettings: strict),
    .testTarget(
      name: "MessagePicturesTests",
      dependencies: [
        "MessagePictures", "MessageSourceTesting", "TestSupport",
        .target(name: "CPictures", condition: .when(traits: pictures)),
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
        "store-worker", "SlowNetwork",
        .product(name: "GRDB", package: "GRDB.swift"),
      ],
      swiftSettings: strict),
  ],
  swiftLanguageModes: [.v6]
)

for (layer, names) in layers {
  for target in package.targets where names.contains(target.name) {
    target.path = "Sources/\(layer)/\(target.name)"
  }
}
for target in package.targets where ["TestSupport", "ShellTesting", "ArchiveTesting"].contains(target.name) {
  target.path = "Tests/Support/\(target.name)"
}

// The examples that need no other package, built with the libraries that are there already: as packages of their own they
// would build them a second time (`make examples` does). They see what is public alone, as any app.
if Context.environment["SCROLLBACK_EXAMPLES"] != nil {
  package.targets += ["Bot", "Diary", "TerminalViewer"].map { name in
    .executableTarget(
      name: name, dependencies: ["ScrollbackKit", "HistoryTransfer"],
      path: "Examples/\(name)/Sources/\(name)",
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
