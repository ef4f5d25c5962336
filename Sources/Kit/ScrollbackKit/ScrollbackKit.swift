// What a view of messages needs, by one import. The modules share no names, and their public types are documented here.
@_exported public import MessageModel
@_exported public import MessageStorage
@_exported public import MessageWindows
@_exported public import TypedQueries
