// Generated from openapi.json by `npm run generate`; edits are lost.
export interface paths {
    "/plants": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create a plant
         * @description The client chooses the id, which makes the request safe to retry: repeating a request with the same plant returns 200 and changes nothing; another plant with the same id is rejected with error 1004.
         */
        post: operations["createPlant"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        Plant: {
            /** @description The name of the plant. Must be well-formed Unicode (no lone surrogates). It is stored and returned unchanged. */
            name: string;
            /** @description Tag that specifies the type of the plant. Must be well-formed Unicode (no lone surrogates). It is stored and returned unchanged. */
            tag?: string;
        };
        /** @description Unknown fields are ignored: they are neither stored nor returned. Exceptions, at any depth: a key `__proto__`, and a key `constructor` whose value has a key `prototype`, are rejected with error 1002. */
        NewPlant: {
            /**
             * Format: int64
             * @description Identification number of the plant: any JSON number whose exact decimal value is an integer from -9223372036854775808 to 9223372036854775807. It is never rounded.
             */
            id: bigint;
            name: components["schemas"]["Plant"]["name"];
            tag?: components["schemas"]["Plant"]["tag"];
        };
        Error: {
            /**
             * Format: int32
             * @description The error code. It is stable, so clients can depend on it.
             */
            error: number;
            /** @description The error message, for humans. */
            message: string;
        };
    };
    responses: {
        /** @description The request failed; `error` is the reason. With 1500 or 1599, the plant may have been stored anyway. It is safe to retry; the retry returns 200 if the plant was already stored. */
        NotCreated: {
            headers: {
                "Retry-After": components["headers"]["RetryAfter"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description No valid access token. */
        Unauthorized: {
            headers: {
                "WWW-Authenticate": components["headers"]["WWWAuthenticate"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The access token does not allow this request, or a firewall rejected the request. For a wrong stage or path prefix, AWS's front end responds with 403 and `{"message":"Forbidden"}` instead. */
        Forbidden: {
            headers: {
                "WWW-Authenticate": components["headers"]["WWWAuthenticate"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The service has no such route. */
        NoSuchRoute: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The request is larger than Lambda accepts (about 4.5 MB). For a body above 10 MB, AWS's front end responds with 413 and text instead. */
        RequestTooLarge: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Too many requests. */
        Throttled: {
            headers: {
                "Retry-After": components["headers"]["RetryAfter"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The gateway failed, or the access token could not be checked. */
        GatewayFault: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The function returned an invalid response, or none. */
        InvalidFunctionResponse: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The function timed out. */
        FunctionTimeout: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Any other error of the gateway. AWS's front end responds to malformed HTTP and oversized headers, and if it fails itself, without an Error body. */
        GatewayError: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
    };
    parameters: never;
    requestBodies: never;
    headers: {
        /** @description Seconds to wait before a retry (RFC 9110 §10.2.3). */
        RetryAfter: number;
        /** @description The bearer challenge (RFC 6750 §3). */
        WWWAuthenticate: string;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    createPlant: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewPlant"];
            };
        };
        responses: {
            /** @description The plant is stored. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Plant"];
                };
            };
            400: components["responses"]["NotCreated"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NoSuchRoute"];
            413: components["responses"]["RequestTooLarge"];
            429: components["responses"]["Throttled"];
            500: components["responses"]["GatewayFault"];
            502: components["responses"]["InvalidFunctionResponse"];
            504: components["responses"]["FunctionTimeout"];
            default: components["responses"]["GatewayError"];
        };
    };
}
