internal import MessageModel

extension Remedy {
  /// The way out for an agent: its own tools and, for what it cannot do, the commands that its user can type.
  var told: String {
    switch self {
    case .words(let text): text
    case .listConversations: "list_conversations with a part of the name as 'named'"
    case .listSenders: "list_senders with a part of the name as 'named'"
    case .listPeople: "list_people, which lists them"
    case .listFilters: "a query instead: the user has saved no such filter"
    case .checkStore: "scrollback check"
    case .repairStore: "scrollback check --repair"
    case .makeStore: "scrollback import FILE, which makes it"
    case .importOrSalvage: "scrollback import FILE; if it was a store, scrollback salvage FILE -o NEW"
    case .changeAndPublish: "change the store that it comes from, then: scrollback publish"
    case .publish: "scrollback publish, or another database"
    case .openAnotherStore: "another --store"
    case .openLocalStore: "a --store on a disk of this computer"
    // Of those who write, and of files, which no tool gives.
    case .exportAndImport, .importWithFiles, .openStore, .goWithoutBackup, .writeIntoNewFolder,
      .searchMessages, .showMessage,
      .mergeConversations, .listImports, .listSources, .mapColumns:
      description
    }
  }
}
