/// A way out of an error, apart from how it is typed: whoever shows the error says it in the words of their surface.
///
/// ``description`` has a sentence for any app; a command line names its own commands instead.
public enum Remedy: Hashable, Sendable {
  /// A sentence that is true of any program: `again, after making room`.
  case words(String)
  /// To check the store.
  case checkStore
  /// To check the store, and have it repaired.
  case repairStore
  /// To make the store by importing something.
  case makeStore
  /// To import the file or, if it was a store, to bring out what can be saved.
  case importOrSalvage
  /// To export what the file holds, and import that.
  case exportAndImport
  /// To import again, with the attached files in their place.
  case importWithFiles
  /// To open the file as the store that it is.
  case openStore
  /// To open another store.
  case openAnotherStore
  /// To open a store on a disk of this computer.
  case openLocalStore
  /// To do the same without a backup.
  case goWithoutBackup
  /// To write into a folder that is not there yet.
  case writeIntoNewFolder
  /// To look for a message by its words.
  case searchMessages
  /// To look at a message.
  case showMessage(Message.ID)
  /// To make one conversation of two.
  case mergeConversations
  /// To list the conversations.
  case listConversations
  /// To list the senders.
  case listSenders
  /// To list the people.
  case listPeople
  /// To list the saved filters.
  case listFilters
  /// To list the imports.
  case listImports
  /// To list the sources that are followed.
  case listSources
  /// To publish a store into the archive, which makes its tables.
  case publish
  /// To change the store that an archive comes from, and publish it again.
  case changeAndPublish
  /// To say which columns of a table hold the time, the sender and the text.
  case mapColumns
}

extension Remedy: ExpressibleByStringInterpolation {
  /// Creates the way out that a sentence says.
  public init(stringLiteral text: String) { self = .words(text) }
}

extension Remedy: CustomStringConvertible {
  /// The way out as half a sentence behind "try:", without commands of any program.
  public var description: String {
    switch self {
    case .words(let text): text
    case .checkStore: "check the store"
    case .repairStore: "check the store, and repair it"
    case .makeStore: "import something, which makes it"
    case .importOrSalvage: "import it; if it was a store, save what it holds into a new one"
    case .exportAndImport: "export from it, and import that"
    case .importWithFiles: "import again, with the files beside"
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
