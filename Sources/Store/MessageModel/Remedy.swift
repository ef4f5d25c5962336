/// The way out of an error. A user interface phrases it in its own words.
///
/// ``description`` is a sentence for any app; a command line names its commands instead.
public struct Remedy: Hashable, Sendable {
  package let way: Way

  private init(_ way: Way) { self.way = way }

  package enum Way: Hashable, Sendable {
    /// A sentence for any program: `again, after making room`.
    case words(String)
    /// Check the store.
    case checkStore
    /// Check the store, and repair it.
    case repairStore
    /// Make the store by importing something.
    case makeStore
    /// Import the file or, if it was a store, salvage it.
    case importOrSalvage
    /// Export the file's content, and import that.
    case exportAndImport
    /// Import again, with the attached files in their place.
    case importWithFiles
    /// Open the file as the store that it is.
    case openStore
    /// Open another store.
    case openAnotherStore
    /// Open a store on a disk of this computer.
    case openLocalStore
    /// Do the same without a backup.
    case goWithoutBackup
    /// Write into a new folder.
    case writeIntoNewFolder
    /// Search for a message by its words.
    case searchMessages
    /// Show a message.
    case showMessage(Message.ID)
    /// Merge two conversations.
    case mergeConversations
    /// List the conversations.
    case listConversations
    /// List the senders.
    case listSenders
    /// List the people.
    case listPeople
    /// List the saved filters.
    case listFilters
    /// List the imports.
    case listImports
    /// List the followed sources.
    case listSources
    /// Publish a store into the archive, which makes its tables.
    case publish
    /// Change the store that an archive comes from, and publish it again.
    case changeAndPublish
    /// Name the columns of a table for time, sender and text.
    case mapColumns
  }
}

extension Remedy {
  package static var checkStore: Remedy { Remedy(.checkStore) }
  package static var repairStore: Remedy { Remedy(.repairStore) }
  package static var makeStore: Remedy { Remedy(.makeStore) }
  package static var importOrSalvage: Remedy { Remedy(.importOrSalvage) }
  package static var exportAndImport: Remedy { Remedy(.exportAndImport) }
  package static var importWithFiles: Remedy { Remedy(.importWithFiles) }
  package static var openStore: Remedy { Remedy(.openStore) }
  package static var openAnotherStore: Remedy { Remedy(.openAnotherStore) }
  package static var openLocalStore: Remedy { Remedy(.openLocalStore) }
  package static var goWithoutBackup: Remedy { Remedy(.goWithoutBackup) }
  package static var writeIntoNewFolder: Remedy { Remedy(.writeIntoNewFolder) }
  package static var searchMessages: Remedy { Remedy(.searchMessages) }
  package static var mergeConversations: Remedy { Remedy(.mergeConversations) }
  package static var listConversations: Remedy { Remedy(.listConversations) }
  package static var listSenders: Remedy { Remedy(.listSenders) }
  package static var listPeople: Remedy { Remedy(.listPeople) }
  package static var listFilters: Remedy { Remedy(.listFilters) }
  package static var listImports: Remedy { Remedy(.listImports) }
  package static var listSources: Remedy { Remedy(.listSources) }
  package static var publish: Remedy { Remedy(.publish) }
  package static var changeAndPublish: Remedy { Remedy(.changeAndPublish) }
  package static var mapColumns: Remedy { Remedy(.mapColumns) }
  package static func words(_ text: String) -> Remedy { Remedy(.words(text)) }
  package static func showMessage(_ id: Message.ID) -> Remedy { Remedy(.showMessage(id)) }
}

extension Remedy: ExpressibleByStringInterpolation {
  /// Creates a way out from a sentence.
  public init(stringLiteral text: String) { self.init(.words(text)) }
}

extension Remedy: CustomStringConvertible {
  /// The way out as half a sentence after "try:", without a program's commands.
  public var description: String {
    switch way {
    case .words(let text): text
    case .checkStore: "check the store"
    case .repairStore: "check the store, and repair it"
    case .makeStore: "import something, which makes it"
    case .importOrSalvage: "import it; if it was a store, save what it holds into a new one"
    case .exportAndImport: "export it, and import that into a new store"
    case .importWithFiles: "import again, with the files beside the history"
    case .openStore: "open it as a store, or put it in the place of one if it is a backup"
    case .openAnotherStore: "another file"
    case .openLocalStore: "a file on a disk of this computer"
    case .goWithoutBackup: "the same without a backup"
    case .writeIntoNewFolder: "another folder, which is not there yet"
    case .searchMessages: "search for it by its words"
    case .showMessage(let id): "look at message #\(id)"
    case .mergeConversations: "merge the two conversations"
    case .listConversations: "the list of conversations"
    case .listSenders: "the list of senders"
    case .listPeople: "the list of people"
    case .listFilters: "the list of saved filters"
    case .listImports: "the list of imports"
    case .listSources: "the list of sources"
    case .publish: "publish a store there, or use another database"
    case .changeAndPublish: "change the store that it comes from, and publish that"
    case .mapColumns: "say which columns hold the time, the sender and the text"
    }
  }
}
