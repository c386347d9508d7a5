//! The methods of the protocol, as a closed set.

macro_rules! methods {
    ($($(#[$doc:meta])* $name:ident = $text:literal,)*) => {
        /// A request or notification method that some revision knows.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub(crate) enum Method { $($(#[$doc])* $name,)* }

        impl Method {
            pub(crate) const fn as_str(self) -> &'static str {
                match self { $(Method::$name => $text,)* }
            }

            /// The method of this name, which is given as bytes.
            pub(crate) fn parse(text: &[u8]) -> Option<Method> {
                $(if text == $text.as_bytes() { return Some(Method::$name); })*
                None
            }
        }
    };
}

methods! {
    Initialize = "initialize",
    Ping = "ping",
    Discover = "server/discover",
    Listen = "subscriptions/listen",
    ListTools = "tools/list",
    CallTool = "tools/call",
    ListResources = "resources/list",
    ListResourceTemplates = "resources/templates/list",
    ReadResource = "resources/read",
    Subscribe = "resources/subscribe",
    Unsubscribe = "resources/unsubscribe",
    ListPrompts = "prompts/list",
    GetPrompt = "prompts/get",
    Complete = "completion/complete",
    SetLogLevel = "logging/setLevel",
    GetTask = "tasks/get",
    UpdateTask = "tasks/update",
    CancelTask = "tasks/cancel",
    TaskResult = "tasks/result",
    ListTasks = "tasks/list",
    Elicit = "elicitation/create",
    CreateMessage = "sampling/createMessage",
    ListRoots = "roots/list",
    Initialized = "notifications/initialized",
    Cancelled = "notifications/cancelled",
    Progress = "notifications/progress",
    LogMessage = "notifications/message",
    RootsListChanged = "notifications/roots/list_changed",
    ToolsListChanged = "notifications/tools/list_changed",
    ResourcesListChanged = "notifications/resources/list_changed",
    PromptsListChanged = "notifications/prompts/list_changed",
    ResourceUpdated = "notifications/resources/updated",
    TaskChanged = "notifications/tasks",
    TaskStatusChanged = "notifications/tasks/status",
    SubscriptionsAcknowledged = "notifications/subscriptions/acknowledged",
}

impl Method {
    /// The requests in whose course the client may be asked: by `input_required`, or with requests of the server's.
    pub(crate) fn takes_input(self) -> bool {
        matches!(self, Method::CallTool | Method::GetPrompt | Method::ReadResource | Method::TaskResult)
    }

    /// The requests whose results carry cache hints in the modern era.
    pub(crate) fn is_cacheable(self) -> bool {
        matches!(
            self,
            Method::Discover
                | Method::ListTools
                | Method::ListPrompts
                | Method::ListResources
                | Method::ListResourceTemplates
                | Method::ReadResource
        )
    }
}
